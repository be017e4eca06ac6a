import SnapshotFormat

/// An access token as one snapshot publishes it, with what tells it from another one.
struct PublishedToken: Sendable, Hashable {
  /// The token.
  let accessToken: String
  /// The number of the snapshot.
  let generation: UInt64
  /// The account that it is of; nil where the snapshot does not say.
  let account: AccountFingerprint?

  /// Whether both are the same token, whatever else was published with them.
  ///
  /// A later snapshot may hold the same token, as when only the host's state has changed.
  func isSameToken(as other: PublishedToken) -> Bool {
    accessToken.utf8.elementsEqual(other.accessToken.utf8)
  }

  /// Whether both name an account, and not the same one.
  func isOfAnotherAccount(than other: PublishedToken) -> Bool {
    guard let account, let known = other.account else { return false }
    return account != known
  }
}

/// What one look at a namespace says of its access token.
struct TokenSighting: Sendable {
  /// The token that is published now.
  let token: PublishedToken
  /// Why it is not to be used; nil when it may be.
  let refusal: AccessTokenError?
}
