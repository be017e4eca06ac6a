// Tests of HTTPExchange.
