package import SessionModel
package import StrictJSON

/// What became of the provider's side of a session that was signed out.
package enum RevocationOutcome: String, Sendable, Hashable, CaseIterable {
  /// The provider has revoked the grant.
  case done
  /// The provider could not be told yet; the host goes on trying.
  case pending
  /// The provider has no revocation endpoint (RFC 7009).
  case unsupported
}

/// What a person needs to sign in on another device (RFC 8628, section 3.2).
package struct DeviceAuthorization: Sendable, Hashable {
  /// The address to visit.
  package let verificationUri: String
  /// The address with the code in it, where the provider gives one.
  package let verificationUriComplete: String?
  /// The code to type in.
  package let userCode: String
  /// How long the code is good.
  package let expiresIn: Duration
  /// A QR code of the address as rows of text, where the host draws one.
  package let qr: [String]?

  /// Makes an authorization.
  package init(
    verificationUri: String, verificationUriComplete: String? = nil, userCode: String,
    expiresIn: Duration, qr: [String]? = nil
  ) {
    self.verificationUri = verificationUri
    self.verificationUriComplete = verificationUriComplete
    self.userCode = userCode
    self.expiresIn = expiresIn
    self.qr = qr
  }
}

/// How an address is opened in the person's browser.
package enum BrowserWindow: Sendable, Hashable {
  /// As any other address.
  case usual
  /// In a private window, so that the session at the provider ends with it.
  ///
  /// The command opens one, `%s` in it standing for the address; an empty one leaves the choice of
  /// the browser to whoever opens it.
  case privateWindow(command: [String])
}

/// One line of the host's answer, an object with the member `event`.
///
/// No event has a member for a token.
package enum ControlEvent: Sendable, Hashable {
  /// The person has to visit this address.
  case authorize(url: String, window: BrowserWindow = .usual)
  /// The person has to visit this address to end the session at the provider.
  case endSession(url: String, window: BrowserWindow = .usual)
  /// Why the session at the provider may go on in the browser.
  case endSessionUnconfirmed(String)
  /// The person has to enter a code on another device.
  case device(DeviceAuthorization)
  /// The sign-in is done and its snapshot published.
  case signedIn(Namespace)
  /// The session is over on this machine.
  case signedOut(Namespace, RevocationOutcome)
  /// This machine knows nothing of the namespace any more.
  ///
  /// Where the grant is not known to be revoked, it ends at the provider by itself.
  case forgotten(Namespace, isRevoked: Bool)
  /// A snapshot with a renewed token is published under this generation.
  case renewed(Namespace, generation: UInt64)
  /// The state of one namespace.
  case namespace(NamespaceStatus)
  /// What the provider says about a namespace's access token.
  case introspection(IntrospectionAnswer)
  /// How far what the host stores is protected, in one line.
  case protection(String)
  /// A passphrase is needed to unlock the host; a new one where there is none yet.
  case passphraseNeeded(isNew: Bool)
  /// Something that the host has found out about itself.
  case finding(Finding)
  /// The request is done, with nothing more to say.
  case done
  /// The request failed. The message is one sentence for a person.
  case failed(ControlFailureReason, message: String)

  /// Whether nothing follows this event on the connection.
  package var isLast: Bool {
    switch self {
    case .authorize, .endSession, .endSessionUnconfirmed, .device, .namespace, .finding,
      .protection:
      false
    case .signedIn, .signedOut, .forgotten, .renewed, .introspection, .passphraseNeeded, .done,
      .failed:
      true
    }
  }

  /// The event as one object, `event` first.
  package var object: JSONObject {
    switch self {
    case .authorize(let url, let window): Self.visit("authorize", url, window)
    case .endSession(let url, let window): Self.visit("end-session", url, window)
    case .endSessionUnconfirmed(let why):
      ["event": .string("end-session-unconfirmed"), "message": .string(why)]
    case .device(let device): device.object
    case .signedIn(let namespace):
      ["event": .string("signed-in"), "namespace": .string(namespace.name)]
    case .signedOut(let namespace, let revocation):
      [
        "event": .string("signed-out"), "namespace": .string(namespace.name),
        "revocation": .string(revocation.rawValue),
      ]
    case .forgotten(let namespace, let isRevoked):
      [
        "event": .string("forgotten"), "namespace": .string(namespace.name),
        "revoked": .bool(isRevoked),
      ]
    case .renewed(let namespace, let generation):
      [
        "event": .string("renewed"), "namespace": .string(namespace.name),
        "generation": generation.generationValue,
      ]
    case .namespace(let status): Self.object("namespace", status.object)
    case .introspection(let answer): Self.object("introspection", answer.object)
    case .finding(let finding): Self.object("finding", finding.object)
    case .protection(let text): ["event": .string("protection"), "text": .string(text)]
    case .passphraseNeeded(let isNew):
      ["event": .string("passphrase"), "new": .bool(isNew)]
    case .done: ["event": .string("done")]
    case .failed(let reason, let message):
      ["event": .string("failed"), "reason": .string(reason.rawValue), "message": .string(message)]
    }
  }

  private static func object(_ event: String, _ rest: JSONObject) -> JSONObject {
    JSONObject([("event", .string(event))] + rest.members.map { ($0.name, $0.value) })
  }

  private static func visit(
    _ event: String, _ url: String, _ window: BrowserWindow
  ) -> JSONObject {
    var object: JSONObject = ["event": .string(event), "url": .string(url)]
    if case .privateWindow(let command) = window {
      object[BrowserWindow.member] =
        command.isEmpty ? .bool(true) : .array(command.map { .string($0) })
    }
    return object
  }

  /// The event as a frame, its line feed included.
  package func encoded() -> [UInt8] {
    object.encoded() + [UInt8(ascii: "\n")]
  }

  /// Reads an event; members that this version does not know are ignored, so that more may come.
  ///
  /// - Parameter frame: the frame without its line feed.
  /// - Throws: `ControlMessageError`.
  package init(frame: [UInt8]) throws(ControlMessageError) {
    var members = try MessageMembers(parsing: frame, as: "the host's answer")
    switch try members.requiredText("event") {
    case "authorize":
      self = .authorize(
        url: try members.requiredText("url"), window: try BrowserWindow(&members))
    case "end-session":
      self = .endSession(
        url: try members.requiredText("url"), window: try BrowserWindow(&members))
    case "end-session-unconfirmed":
      self = .endSessionUnconfirmed(try members.requiredText("message"))
    case "device": self = .device(try DeviceAuthorization(&members))
    case "signed-in": self = .signedIn(try members.namespace())
    case "signed-out":
      let namespace = try members.namespace()
      guard let outcome = RevocationOutcome(rawValue: try members.requiredText("revocation"))
      else { throw members.wrong("revocation", "\"done\", \"pending\" or \"unsupported\"") }
      self = .signedOut(namespace, outcome)
    case "forgotten":
      let namespace = try members.namespace()
      guard let isRevoked = members.value("revoked")?.bool else {
        throw members.wrong("revoked", "true or false")
      }
      self = .forgotten(namespace, isRevoked: isRevoked)
    case "renewed":
      let namespace = try members.namespace()
      guard let generation = try members.generation("generation") else {
        throw members.missing("generation")
      }
      self = .renewed(namespace, generation: generation)
    case "namespace": self = .namespace(try NamespaceStatus(&members))
    case "introspection": self = .introspection(try IntrospectionAnswer(&members))
    case "finding": self = .finding(try Finding(&members))
    case "protection": self = .protection(try members.requiredText("text"))
    case "passphrase":
      self = .passphraseNeeded(isNew: members.value("new")?.bool ?? false)
    case "done": self = .done
    case "failed":
      guard let reason = ControlFailureReason(rawValue: try members.requiredText("reason")) else {
        throw members.wrong("reason", "a reason that is known")
      }
      self = .failed(reason, message: try members.requiredText("message"))
    case let event:
      throw ControlMessageError(
        "the host's answer is an event \(PrintableText.quoted(event)) that is not known")
    }
  }
}

extension BrowserWindow {
  fileprivate static let member = "privateBrowser"

  fileprivate init(_ members: inout MessageMembers) throws(ControlMessageError) {
    guard let value = members.value(Self.member), value != .bool(false) else {
      self = .usual
      return
    }
    let command = value.array?.compactMap(\.string)
    guard value == .bool(true) || (command.map { $0.count == value.array?.count } ?? false) else {
      throw members.wrong(Self.member, "true, false or an array of strings")
    }
    self = .privateWindow(command: command ?? [])
  }
}

extension DeviceAuthorization {
  fileprivate var object: JSONObject {
    var object: JSONObject = [
      "event": .string("device"), "verificationUri": .string(verificationUri),
    ]
    object["verificationUriComplete"] = verificationUriComplete.map { .string($0) }
    object["userCode"] = .string(userCode)
    object["expiresIn"] = .integer(expiresIn.components.seconds)
    object["qr"] = qr.map { .array($0.map { .string($0) }) }
    return object
  }

  fileprivate init(_ members: inout MessageMembers) throws(ControlMessageError) {
    verificationUri = try members.requiredText("verificationUri")
    verificationUriComplete = try members.text("verificationUriComplete")
    userCode = try members.requiredText("userCode")
    guard let expiresIn = try members.seconds("expiresIn") else {
      throw members.missing("expiresIn")
    }
    self.expiresIn = expiresIn
    if let value = members.value("qr") {
      let rows = value.array?.compactMap(\.string)
      guard let rows, rows.count == value.array?.count else {
        throw members.wrong("qr", "an array of strings")
      }
      qr = rows
    } else {
      qr = nil
    }
  }
}
