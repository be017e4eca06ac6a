package import SessionModel

/// A session whose access token may be used, with its account: all of it from one snapshot.
///
/// The token of one account beside the name of another is an answer that nobody may get, so the
/// two are never read one after the other.
package struct UsableSession: Sendable, Hashable {
  /// The record with the access token.
  package let record: StoredSessionV1
  /// The account's name, where the snapshot gives one; not printable as it is.
  package let accountName: String?

  /// Makes a session.
  package init(record: StoredSessionV1, accountName: String?) {
    self.record = record
    self.accountName = accountName
  }
}
