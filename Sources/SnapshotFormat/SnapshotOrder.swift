package import SessionModel

/// Which of two genuine snapshots of one namespace is the newer one.
package enum SnapshotOrder {
  /// Whether a snapshot that was just read may take the place of the one a reader holds.
  ///
  /// Within a life the generation decides. A snapshot of another life (the host's state was made
  /// anew) counts as newer when it was published later on the clock of the same boot, or in the
  /// present boot while the held one is of an earlier one.
  ///
  /// - Parameters:
  ///   - candidate: what was just read.
  ///   - current: what the reader holds.
  ///   - boot: the present boot.
  /// - Returns: false for the same snapshot and for an older one that was put back.
  package static func isNewer(
    _ candidate: SnapshotHeader, than current: SnapshotHeader, in boot: BootIdentifier
  ) -> Bool {
    if candidate.life == current.life { return candidate.generation > current.generation }
    let origin = candidate.published.bootIdentifier
    if origin == current.published.bootIdentifier {
      return candidate.published.boot > current.published.boot
    }
    return origin == boot
  }
}
