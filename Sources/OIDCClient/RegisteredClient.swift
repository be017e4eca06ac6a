package import SessionModel
package import StrictJSON

/// A client as the provider has registered it (RFC 7591 3.2.1), checked against what was asked.
package struct RegisteredClient: Sendable {
  /// The client identifier.
  package let clientId: String
  /// How the client proves itself; nil where the provider has given a secret and not said how.
  package let authentication: ClientMetadata.Authentication?
  /// The client secret of a confidential client.
  ///
  /// Secret.
  package let secret: String?
  /// When the secret ends; nil for never.
  package let secretExpiresAt: UnixTime?
  /// The provider's whole answer as JSON, with what it takes to manage the client (RFC 7592 3).
  ///
  /// Secret.
  package let record: [UInt8]
  /// What was asked for and is not registered, one sentence each.
  package internal(set) var notes: [String]

  /// Checks an answer.
  ///
  /// - Parameters:
  ///   - object: the answer.
  ///   - asked: what was asked for.
  /// - Throws: `RegistrationError.unusable` when no sign-in could succeed with the client.
  package init(_ object: JSONObject, asked: ClientMetadata) throws(RegistrationError) {
    // RFC 6749 appendix A.1.
    guard let clientId = object["client_id"]?.string, (1...1024).contains(clientId.utf8.count),
      clientId.utf8.allSatisfy({ (0x20...0x7E).contains($0) })
    else { throw .unusable("client_id is missing or is not printable ASCII") }
    if let redirects = Self.texts(object["redirect_uris"]) {
      for asked in asked.redirectURIs where !containsBytes(redirects, asked) {
        throw .unusable("redirect_uris lacks \(asked), which was asked for")
      }
    }
    if let responses = Self.texts(object["response_types"]), !containsBytes(responses, "code") {
      throw .unusable("response_types lacks code")
    }
    var notes: [String] = []
    if let grants = Self.texts(object["grant_types"]) {
      guard containsBytes(grants, "authorization_code") else {
        throw .unusable("grant_types lacks authorization_code")
      }
      if !containsBytes(grants, "refresh_token") {
        notes.append("the provider has not registered refresh tokens: sessions may end early")
      }
    }
    let method = object["token_endpoint_auth_method"]
    let authentication = method?.string.flatMap(ClientMetadata.Authentication.init(rawValue:))
    if let method, !method.isNull, authentication == nil {
      throw .unusable("token_endpoint_auth_method is none that this client has")
    }
    var secret: String?
    if authentication != .publicClient {
      secret = object["client_secret"]?.string
      guard secret.map(TokenText.isToken) ?? true else {
        throw .unusable("client_secret is not printable ASCII")
      }
      guard secret != nil || (authentication == nil && asked.isPublic) else {
        throw .unusable("client_secret is missing")
      }
    }
    if let scopes = object["scope"]?.string?.split(separator: " ").map(String.init) {
      // Some list only what has to be asked for by name, so this is no refusal.
      let missing = asked.scopes.filter { !containsBytes(scopes, $0) }
      if !missing.isEmpty {
        notes.append(
          "the provider's answer does not list the scope \(missing.joined(separator: " "))")
      }
    }
    self.clientId = clientId
    self.authentication =
      authentication ?? (secret == nil ? .publicClient : nil)
    self.secret = secret
    // 0 is "never" (RFC 7591 3.2.1).
    let end = secret == nil ? nil : object["client_secret_expires_at"]?.integer
    secretExpiresAt = end.flatMap { $0 > 0 ? UnixTime(rawValue: $0) : nil }
    record = object.encoded() + [UInt8(ascii: "\n")]
    self.notes = notes
  }

  private static func texts(_ value: JSONValue?) -> [String]? {
    value?.array?.compactMap(\.string)
  }
}

extension RegisteredClient: CustomStringConvertible, CustomReflectable {
  /// The client's identifier, without its secret.
  package var description: String { "client \(clientId)" }
  /// No children, so that `dump` shows no secret.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
