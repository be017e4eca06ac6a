// Declarations of HTTPExchange.
