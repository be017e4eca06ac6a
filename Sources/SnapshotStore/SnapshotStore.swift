// Declarations of SnapshotStore.
