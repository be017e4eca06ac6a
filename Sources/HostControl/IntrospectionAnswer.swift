package import SessionModel
package import StrictJSON

/// What a provider says about the access token of a namespace (RFC 7662 2.2), without the token.
package struct IntrospectionAnswer: Sendable, Hashable {
  /// The namespace.
  package var namespace: Namespace
  /// Whether the token is good at the provider now.
  package var isActive: Bool
  /// The scope, space-separated.
  package var scope: String?
  /// The client that the token was issued to.
  package var clientId: String?
  /// The account's name for people.
  package var username: String?
  /// The type by which the token is used; no member has a name with "token" in it.
  package var tokenType: String?
  /// When the token ends.
  package var expiresAt: UnixTime?
  /// When it was issued.
  package var issuedAt: UnixTime?
  /// The account at the provider.
  package var subject: String?
  /// Whom the token is for.
  package var audience: [String]
  /// The issuer.
  package var issuer: String?

  /// Makes an answer.
  package init(
    namespace: Namespace, isActive: Bool, scope: String? = nil, clientId: String? = nil,
    username: String? = nil, tokenType: String? = nil, expiresAt: UnixTime? = nil,
    issuedAt: UnixTime? = nil, subject: String? = nil, audience: [String] = [],
    issuer: String? = nil
  ) {
    self.namespace = namespace
    self.isActive = isActive
    self.scope = scope
    self.clientId = clientId
    self.username = username
    self.tokenType = tokenType
    self.expiresAt = expiresAt
    self.issuedAt = issuedAt
    self.subject = subject
    self.audience = audience
    self.issuer = issuer
  }

  /// The answer as one object, all members in the documented order; nil is `null` there.
  package var object: JSONObject {
    func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    func time(_ value: UnixTime?) -> JSONValue { value.map { .integer($0.rawValue) } ?? .null }
    return [
      "namespace": .string(namespace.name), "active": .bool(isActive), "scope": text(scope),
      "clientId": text(clientId), "username": text(username), "type": text(tokenType),
      "expiresAt": time(expiresAt), "issuedAt": time(issuedAt), "subject": text(subject),
      "audience": .array(audience.map { .string($0) }), "issuer": text(issuer),
    ]
  }

  init(_ members: inout MessageMembers) throws(ControlMessageError) {
    namespace = try members.namespace()
    guard let isActive = members.value("active")?.bool else {
      throw members.wrong("active", "true or false")
    }
    self.isActive = isActive
    scope = try members.text("scope")
    clientId = try members.text("clientId")
    username = try members.text("username")
    tokenType = try members.text("type")
    expiresAt = try members.integer("expiresAt").map { UnixTime(rawValue: $0) }
    issuedAt = try members.integer("issuedAt").map { UnixTime(rawValue: $0) }
    subject = try members.text("subject")
    let values = members.value("audience")?.array ?? []
    audience = values.compactMap(\.string)
    guard audience.count == values.count else {
      throw members.wrong("audience", "an array of strings")
    }
    issuer = try members.text("issuer")
  }
}
