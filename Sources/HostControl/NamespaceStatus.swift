package import SessionModel
package import StrictJSON

/// The state of one namespace as `status --json` prints it; nil is `null` there.
package struct NamespaceStatus: Sendable, Hashable {
  /// The namespace.
  package var namespace: Namespace
  /// The access group whose snapshot was looked at.
  package var group: AccessGroup
  /// The session's state, a word of `SessionState`.
  package var session: String
  /// The host's state, a word of `HostCondition`.
  package var host: String
  /// The generation of the last snapshot.
  package var generation: UInt64?
  /// When the last snapshot was published.
  package var publishedAt: UnixTime?
  /// By when the host will have published again, as the last snapshot says.
  package var nextPublicationBy: UnixTime?
  /// When the access token ends.
  package var expiresAt: UnixTime?
  /// How long the access token lives from now, in whole seconds; negative once it has ended.
  package var expiresIn: Duration?
  /// The issuer of the session.
  package var issuer: String?
  /// The account's name for people.
  package var account: String?
  /// Why the state is what it is, one sentence.
  package var reason: String?
  /// What the person can do about it, one sentence.
  package var nextStep: String?
  /// When the login itself ends, where the host expects an end that no renewal moves.
  package var loginEndsAt: UnixTime?
  /// How long that is from now, in whole seconds.
  package var loginEndsIn: Duration?

  /// Makes a status.
  package init(
    namespace: Namespace, group: AccessGroup, session: String, host: String,
    generation: UInt64? = nil, publishedAt: UnixTime? = nil, nextPublicationBy: UnixTime? = nil,
    expiresAt: UnixTime? = nil, expiresIn: Duration? = nil, issuer: String? = nil,
    account: String? = nil, reason: String? = nil, nextStep: String? = nil,
    loginEndsAt: UnixTime? = nil, loginEndsIn: Duration? = nil
  ) {
    self.namespace = namespace
    self.group = group
    self.session = session
    self.host = host
    self.generation = generation
    self.publishedAt = publishedAt
    self.nextPublicationBy = nextPublicationBy
    self.expiresAt = expiresAt
    self.expiresIn = expiresIn
    self.issuer = issuer
    self.account = account
    self.reason = reason
    self.nextStep = nextStep
    self.loginEndsAt = loginEndsAt
    self.loginEndsIn = loginEndsIn
  }

  /// The status as one object, all members in the documented order.
  package var object: JSONObject {
    [
      "namespace": .string(namespace.name),
      "group": .string(group.name),
      "session": .string(session),
      "host": .string(host),
      "generation": generation?.generationValue ?? .null,
      "publishedAt": publishedAt.map { .integer($0.rawValue) } ?? .null,
      "nextPublicationBy": nextPublicationBy.map { .integer($0.rawValue) } ?? .null,
      "expiresAt": expiresAt.map { .integer($0.rawValue) } ?? .null,
      "expiresIn": expiresIn.map { .integer($0.components.seconds) } ?? .null,
      "issuer": issuer.map { .string($0) } ?? .null,
      "account": account.map { .string($0) } ?? .null,
      "reason": reason.map { .string($0) } ?? .null,
      "nextStep": nextStep.map { .string($0) } ?? .null,
      "loginEndsAt": loginEndsAt.map { .integer($0.rawValue) } ?? .null,
      "loginEndsIn": loginEndsIn.map { .integer($0.components.seconds) } ?? .null,
    ]
  }

  init(_ members: inout MessageMembers) throws(ControlMessageError) {
    namespace = try members.namespace()
    guard let group = AccessGroup(try members.requiredText("group")) else {
      throw members.wrong("group", "an access group")
    }
    self.group = group
    session = try members.requiredText("session")
    host = try members.requiredText("host")
    generation = try members.generation("generation")
    publishedAt = try members.integer("publishedAt").map { UnixTime(rawValue: $0) }
    nextPublicationBy = try members.integer("nextPublicationBy").map { UnixTime(rawValue: $0) }
    expiresAt = try members.integer("expiresAt").map { UnixTime(rawValue: $0) }
    expiresIn = try members.integer("expiresIn").map { .seconds($0) }
    issuer = try members.text("issuer")
    account = try members.text("account")
    reason = try members.text("reason")
    nextStep = try members.text("nextStep")
    loginEndsAt = try members.integer("loginEndsAt").map { UnixTime(rawValue: $0) }
    loginEndsIn = try members.integer("loginEndsIn").map { .seconds($0) }
  }
}
