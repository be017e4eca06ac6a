// Declarations of SecretMemory.
