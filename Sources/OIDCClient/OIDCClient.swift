// Declarations of OIDCClient.
