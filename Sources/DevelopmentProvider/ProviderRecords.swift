/// One consent: every token that came from it, by rotation, shares it.
struct GrantFamily: Sendable {
  /// The client the grant was given to.
  let clientIdentifier: String

  /// The person who gave it.
  let account: ProviderAccount

  /// The granted scope, space-separated.
  let scope: String

  /// When the person signed in, since 1970.
  let authenticatedAt: Duration

  /// The `nonce` of the authorization request.
  let nonce: String?

  /// Whether every token of the family is worthless.
  var isRevoked = false
}

/// An authorization request that waits for the button.
struct PendingAuthorization: Sendable {
  /// The client.
  let clientIdentifier: String

  /// Where the response goes.
  let redirectURI: String

  /// The client's `state`.
  let state: String?

  /// The requested scope.
  let scope: String

  /// The client's `nonce`.
  let nonce: String?

  /// The S256 code challenge.
  let challenge: String

  /// The person who is asked.
  let account: ProviderAccount

  /// Until when the page is answered to.
  let expiresAt: Duration
}

/// An authorization code.
struct CodeRecord: Sendable {
  /// The request it answers.
  let request: PendingAuthorization

  /// When it is worthless, since 1970.
  let expiresAt: Duration

  /// When the person signed in, since 1970.
  let authenticatedAt: Duration

  /// The family that was made of it; a code is used once.
  var family: Int?
}

/// A refresh token.
struct RefreshRecord: Sendable {
  /// The grant.
  let family: Int

  /// When it is worthless, nil for never.
  let expiresAt: Duration?

  /// When it was replaced by rotation.
  var replacedAt: Duration?
}

/// An access token.
struct AccessRecord: Sendable {
  /// The grant.
  let family: Int

  /// The scope of this token, which a refresh may have narrowed.
  let scope: String

  /// When it was made, since 1970.
  let issuedAt: Duration

  /// When it is worthless, since 1970.
  let expiresAt: Duration
}

/// A device code.
struct DeviceRecord: Sendable {
  /// What has been decided.
  enum Decision: Sendable {
    /// Nothing yet.
    case pending

    /// The person said yes.
    case approved(ProviderAccount, at: Duration)

    /// The person said no.
    case denied

    /// Tokens were issued.
    case used
  }

  /// The code the person types.
  let userCode: String

  /// The client.
  let clientIdentifier: String

  /// The requested scope.
  let scope: String

  /// When it is worthless, since 1970.
  let expiresAt: Duration

  /// The interval the device has to keep; `slow_down` lengthens it.
  var interval: Duration

  /// The last poll, since 1970.
  var polledAt: Duration?

  /// What has been decided.
  var decision = Decision.pending
}
