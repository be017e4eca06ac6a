// Tests of VaultWatching.
