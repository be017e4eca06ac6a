// Declarations of VaultWatching.
