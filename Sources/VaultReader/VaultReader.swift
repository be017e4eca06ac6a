// Declarations of VaultReader.
