/// What a provider has just handed over and nobody has checked yet.
///
/// It must be durable before it is believed: when the provider rotates refresh tokens, the old one
/// is worth nothing from this moment on.
package struct ProvisionalGrant: Sendable {
  /// The refresh token in the answer; nil when the answer had none and the old one stays in force.
  package let refreshToken: RefreshToken?
  /// The access token in the answer, by which a sign-in without a refresh token can be revoked.
  ///
  /// Secret.
  package let accessToken: String?

  /// Creates a provisional grant from the tokens in the answer.
  package init(refreshToken: RefreshToken?, accessToken: String?) {
    self.refreshToken = refreshToken
    self.accessToken = accessToken
  }

  /// The token by which the provider can be told to forget the grant; nil when it handed over none.
  package var revocableToken: RevocableToken? {
    if let refreshToken { return .refreshToken(refreshToken) }
    return accessToken.map { .accessToken($0) }
  }
}

/// The host's durable memory, as a provider's client sees it.
///
/// A source calls `record` as soon as it has an answer, before it checks anything in it.
package protocol GrantJournal: Sendable {
  /// Makes it durable that a request is about to be sent that may bring the grant of a sign-in.
  ///
  /// A source calls it right before the request, or before the first of those that ask for the grant.
  /// - Throws: `JournalError`; then nothing may be sent.
  func announceExchange() async throws(JournalError)

  /// Makes a provisional grant durable: when this returns, a crash can't lose it.
  ///
  /// Called by `record` only.
  /// - Throws: `JournalError`.
  func write(_ grant: ProvisionalGrant) async throws(JournalError)

  /// Makes a verified grant the session, before a person who waits is told that it worked.
  ///
  /// A source calls it where it has somebody to tell; otherwise the host adopts what is returned.
  /// - Parameter issued: the grant that the source is about to return.
  /// - Returns: what became of it.
  func adopt(_ issued: IssuedGrant) async -> GrantAdoption
}

/// What became of a verified grant at the host.
package enum GrantAdoption: Sendable, Hashable {
  /// It is the session now.
  ///
  /// - Parameters:
  ///   - account: what the account is called, for display.
  ///   - replaced: what another account is called whose session it took the place of.
  case adopted(account: String?, replaced: String?)
  /// The host could not store it.
  case unsaved
  /// Nobody wants it any more: the namespace was signed out meanwhile, or the host is ending.
  case unwanted
}

/// The host could not make a grant durable; it keeps it in memory and goes on trying.
package struct JournalError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence on what failed, without any secret.
  package let description: String

  /// Creates an error from its sentence.
  package init(_ description: String) {
    self.description = description
  }
}

extension GrantJournal {
  /// Notes nothing: a renewal has an intent of its own.
  package func announceExchange() async throws(JournalError) {}

  /// Leaves the adoption to whoever gets the grant.
  package func adopt(_ issued: IssuedGrant) async -> GrantAdoption {
    .adopted(account: issued.grant.accountName, replaced: nil)
  }

  /// Makes a provisional grant durable and returns the proof of it.
  ///
  /// This is the only way to a receipt, and a receipt the only way to `GrantOutcome.issued`.
  /// - Parameter grant: what the provider handed over.
  /// - Returns: the receipt.
  /// - Throws: `JournalError`.
  package func record(_ grant: ProvisionalGrant) async throws(JournalError) -> StoredReceipt {
    try await write(grant)
    return StoredReceipt(refreshToken: grant.refreshToken)
  }
}

/// The proof that a provisional grant is durable.
///
/// Made by `GrantJournal.record` and by nobody else.
package struct StoredReceipt: Sendable {
  /// The refresh token that is durable now; nil when the old one stays in force.
  package let refreshToken: RefreshToken?

  fileprivate init(refreshToken: RefreshToken?) {
    self.refreshToken = refreshToken
  }
}

/// A grant that is durable and verified, ready to be believed.
package struct IssuedGrant: Sendable {
  /// The verified grant; its refresh token is the one that the receipt stands for.
  package let grant: Grant

  /// Joins a receipt with what was verified after it.
  ///
  /// - Parameters:
  ///   - receipt: the proof that the refresh token is durable.
  ///   - previous: the token that stays in force when the receipt is for none.
  ///   - verified: makes the grant around the refresh token that is in force now.
  package init(
    receipt: StoredReceipt, previous: RefreshToken?, verified: (RefreshToken?) -> Grant
  ) {
    grant = verified(receipt.refreshToken ?? previous)
  }
}
