// Tests of LoopbackHTTP.
