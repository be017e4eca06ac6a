// Tests of HostConfiguration.
