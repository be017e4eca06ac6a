// Tests of HostControl.
