/// What all namespaces of one reader share.
struct ReaderContext: Sendable {
  /// Where snapshots are looked for.
  let search: SnapshotSearch
  /// The access group's key.
  let keys = GroupKeyRing()
  /// Whether a host runs.
  let presence = HostPresence()
  /// The clocks.
  let clock: ReaderClock
  /// The present boot.
  let boot: PresentBoot

  /// Makes what namespaces share; nothing is read yet.
  init(search: SnapshotSearch, clock: ReaderClock) {
    self.search = search
    self.clock = clock
    boot = PresentBoot(clock: clock)
  }
}
