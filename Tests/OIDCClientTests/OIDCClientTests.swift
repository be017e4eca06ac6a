// Tests of OIDCClient.
