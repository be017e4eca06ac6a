// Declarations of SnapshotFormat.
