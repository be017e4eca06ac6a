// Declarations of SessionHost.
