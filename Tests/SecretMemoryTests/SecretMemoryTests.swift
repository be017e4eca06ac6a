// Tests of SecretMemory.
