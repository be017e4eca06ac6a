// Declarations of LoopbackHTTP.
