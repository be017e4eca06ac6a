// Declarations of HostControl.
