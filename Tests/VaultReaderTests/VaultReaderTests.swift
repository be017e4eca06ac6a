// Tests of VaultReader.
