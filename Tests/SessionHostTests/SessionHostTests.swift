// Tests of SessionHost.
