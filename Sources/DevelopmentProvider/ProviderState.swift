internal import LoopbackHTTP
internal import StrictJSON

/// Everything the provider knows; no input or output, the time is an argument.
struct ProviderState: Sendable {
  /// How the provider behaves; may be changed while it runs.
  var configuration: ProviderConfiguration

  /// The issuer identifier.
  var issuer = ""

  /// The keys.
  var signer: TokenSigner

  /// What is said otherwise than it should be.
  var overrides = ProviderOverrides()

  /// What has happened.
  var counts = ProviderCounts()

  /// The grants by number.
  var families: [Int: GrantFamily] = [:]

  /// The authorization requests that wait for the button.
  var pending: [String: PendingAuthorization] = [:]

  /// The authorization codes.
  var codes: [String: CodeRecord] = [:]

  /// The refresh tokens, replaced ones too.
  var refreshTokens: [String: RefreshRecord] = [:]

  /// The access tokens.
  var accessTokens: [String: AccessRecord] = [:]

  /// The latest ID tokens, oldest first, for tests that look for them where they must not be.
  var idTokens: [String] = []

  /// The pushed authorization requests that no browser has brought yet.
  var pushed: [String: PushedRequest] = [:]

  /// What clients asked to be registered as, oldest first.
  var registrations: [JSONObject] = []

  /// The device codes.
  var devices: [String: DeviceRecord] = [:]

  private var nextFamily = 1

  /// Makes a provider that knows nobody yet.
  init(configuration: ProviderConfiguration, signer: TokenSigner) {
    self.configuration = configuration
    self.signer = signer
  }

  /// Makes a token or code.
  func makeToken() -> String {
    configuration.tokenPrefix + RandomText.token()
  }

  /// Notes a consent.
  ///
  /// - Returns: The number of the new family.
  mutating func addFamily(_ family: GrantFamily) -> Int {
    defer { nextFamily += 1 }
    families[nextFamily] = family
    counts.grants += 1
    return nextFamily
  }

  /// Makes a grant and everything that came from it worthless.
  mutating func revoke(family: Int) {
    families[family]?.isRevoked = true
  }

  /// Returns the grant of a token that is valid now.
  func grant(of token: String, now: Duration) -> (GrantFamily, AccessRecord)? {
    guard let record = accessTokens[token], record.expiresAt > now,
      let family = families[record.family], !family.isRevoked
    else { return nil }
    return (family, record)
  }

  /// Finds the client and checks its secret (RFC 6749 2.3.1).
  ///
  /// - Parameters:
  ///   - parameters: The body's parameters.
  ///   - authorization: The value of the `Authorization` header, if any.
  /// - Returns: The client.
  /// - Throws: `invalid_client`, or `invalid_request` when two methods are used.
  func authenticate(
    _ parameters: RequestParameters, authorization: String?
  ) throws(OAuthError) -> ProviderClient {
    var identifier = parameters["client_id"]
    var secret = parameters["client_secret"]
    if let authorization, authorization.lowercased().hasPrefix("basic ") {
      guard secret == nil else {
        throw OAuthError("invalid_request", "the client authenticates in two ways")
      }
      // Both are form-encoded before base64 (RFC 6749 2.3.1).
      let text = RandomText.decodeBasic(String(authorization.dropFirst("basic ".count))) ?? ""
      let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2, let name = FormItem.unescape(Array(parts[0].utf8)[...]),
        let given = FormItem.unescape(Array(parts[1].utf8)[...])
      else { throw OAuthError("invalid_client", "malformed credentials", status: 401) }
      guard identifier == nil || identifier?.utf8.elementsEqual(name.utf8) == true else {
        throw OAuthError("invalid_request", "two different client identifiers")
      }
      identifier = name
      // A public client may send an empty password.
      secret = given.isEmpty ? nil : given
    }
    guard let identifier, let client = client(identifier) else {
      throw OAuthError("invalid_client", "unknown client", status: 401)
    }
    switch (client.secret, secret) {
    case (nil, nil):
      return client
    case (let expected?, let given?) where RandomText.isSecret(given, equalTo: expected):
      return client
    default:
      throw OAuthError("invalid_client", "wrong client credentials", status: 401)
    }
  }

  /// Returns a registered client.
  func client(_ identifier: String) -> ProviderClient? {
    configuration.clients.first { $0.identifier.utf8.elementsEqual(identifier.utf8) }
  }

  /// Returns the account that a hint names, else the first.
  func account(hint: String?) -> ProviderAccount? {
    let accounts = configuration.accounts
    guard let hint else { return accounts.first }
    return accounts.first { [$0.subject, $0.email, $0.name].contains(hint) } ?? accounts.first
  }
}
