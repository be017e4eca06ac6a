// Declarations of HostConfiguration.
