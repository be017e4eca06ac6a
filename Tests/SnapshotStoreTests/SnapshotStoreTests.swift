// Tests of SnapshotStore.
