import GrantModel
import SessionModel
package import SnapshotFormat

extension CanonicalRecord {
  /// Whether a snapshot that this host published shows that the record was put back from an older
  /// copy.
  ///
  /// Everything is stored before it is published, so a snapshot is never ahead of its record: one
  /// with a later access token, or the end of a session that the record still has, comes from a
  /// record that has been overwritten. After a restart of the machine there is no snapshot, and
  /// only the provider can tell.
  package func isOlder(than snapshot: Snapshot) -> Bool {
    guard let grant else { return false }
    let obtained = obtainedAt?.wall ?? grant.issuedAt
    switch snapshot.content {
    case .session(let published):
      guard let issuedAt = snapshot.header.issuedAt else { return false }
      return issuedAt > grant.issuedAt && published.accessToken != grant.accessToken
    case .signedOut:
      return snapshot.header.published.wall > obtained
    case .reauthenticationRequired(let reason):
      // Of some ends a record keeps its grant, and whoever puts a lost store or key back, as the
      // host asks for, ends nothing by it.
      return refusal == nil && reason != .rollbackSuspected && reason != .lostState
        && snapshot.header.published.wall > obtained
    case .unknown:
      return false
    }
  }
}
