package import SessionModel
import StrictJSON

/// What a client asks of the host: one JSON object in one frame, `{"verb": ...}`.
///
/// No request carries a token, and no answer to one does.
package enum ControlRequest: Sendable, Hashable {
  /// The state of one namespace, or of all that the host is configured for.
  ///
  /// Answer: a `namespace` event for each, then `done`.
  case status(Namespace?)
  /// A renewal, shared with everybody who asks at the same time.
  ///
  /// With a validity the host renews only if its token lives for less. Answer: `renewed` once the
  /// new snapshot is published, or `failed`.
  case renew(Namespace, validFor: Duration?)
  /// A resource has refused the access token of this generation although it looked valid.
  ///
  /// Answer: `renewed` with a later generation, at once where there is one already, or `failed`.
  case rejected(Namespace, generation: UInt64)
  /// A sign-in by a person; closing the connection cancels it.
  ///
  /// Answer: `authorize` or `device`, then `signed-in` or `failed`.
  case signIn(SignInRequest)
  /// The end of a session. Answer: `signed-out`, or `failed`.
  case signOut(Namespace)
  /// The end of a session, and of the person's session in the browser at the provider.
  ///
  /// Answer: `end-session` where the provider has such a thing, then as for `sign-out`.
  case signOutInBrowser(Namespace)
  /// The end of everything that this machine knows of a namespace, readable or not.
  ///
  /// Answer: `forgotten`, or `failed`.
  case forget(Namespace)
  /// The end of all work with the key until it is brought back. Answer: `done`.
  case lock
  /// The return of the key; the passphrase where a person has to bring one.
  ///
  /// Answer: `done`, `passphrase` where one is needed, or `failed`.
  case unlock(passphrase: String?)
  /// The address that the browser was sent back to; nil where the namespace is not known.
  ///
  /// Answer: `done` when a sign-in that waits has taken it, or `failed`.
  case complete(Namespace?, address: String)
  /// What the provider holds of the access token (RFC 7662); nothing changes by it.
  ///
  /// Answer: `introspection`, or `failed`.
  case introspect(Namespace)
  /// What the host finds to be wrong, or worth knowing.
  ///
  /// Answer: a `finding` event for each, then `done`.
  case examine

  /// The word that names the request in its frame.
  package var verb: String {
    switch self {
    case .status: "status"
    case .renew: "renew"
    case .rejected: "rejected"
    case .signIn: "sign-in"
    case .signOut: "sign-out"
    case .signOutInBrowser: "sign-out-in-browser"
    case .forget: "forget"
    case .lock: "lock"
    case .unlock: "unlock"
    case .complete: "complete"
    case .introspect: "introspect"
    case .examine: "examine"
    }
  }

  /// The request as a frame, its line feed included.
  package func encoded() -> [UInt8] {
    var object: JSONObject = ["verb": .string(verb)]
    switch self {
    case .status(let namespace):
      object["namespace"] = namespace.map { .string($0.name) }
    case .renew(let namespace, let validFor):
      object["namespace"] = .string(namespace.name)
      object["validFor"] = validFor.map { .integer($0.secondsRoundedUp) }
    case .rejected(let namespace, let generation):
      object["namespace"] = .string(namespace.name)
      object["generation"] = generation.generationValue
    case .signIn(let request): request.write(to: &object)
    case .signOut(let namespace), .signOutInBrowser(let namespace), .introspect(let namespace),
      .forget(let namespace):
      object["namespace"] = .string(namespace.name)
    case .complete(let namespace, let address):
      object["namespace"] = namespace.map { .string($0.name) }
      object["address"] = .string(address)
    case .unlock(let passphrase): object["passphrase"] = passphrase.map { .string($0) }
    case .examine, .lock: break
    }
    return object.encoded() + [UInt8(ascii: "\n")]
  }

  /// Reads a request strictly: a member that its verb does not have is an error.
  ///
  /// A client that is newer than its host so learns that what it asked for is not understood.
  /// - Parameter frame: the frame without its line feed.
  /// - Throws: `ControlMessageError`, whose text may be sent back.
  package init(frame: [UInt8]) throws(ControlMessageError) {
    var members = try MessageMembers(parsing: frame, as: "the request")
    let verb = try members.requiredText("verb")
    switch verb {
    case "status":
      let isNamed = members.value("namespace") != nil
      self = .status(isNamed ? try members.namespace() : nil)
    case "renew":
      self = .renew(try members.namespace(), validFor: try members.seconds("validFor"))
    case "rejected":
      let namespace = try members.namespace()
      guard let generation = try members.generation("generation") else {
        throw members.missing("generation")
      }
      self = .rejected(namespace, generation: generation)
    case "sign-in": self = .signIn(try SignInRequest(&members))
    case "sign-out": self = .signOut(try members.namespace())
    case "sign-out-in-browser": self = .signOutInBrowser(try members.namespace())
    case "forget": self = .forget(try members.namespace())
    case "lock": self = .lock
    case "unlock": self = .unlock(passphrase: try members.text("passphrase"))
    case "complete":
      let isNamed = members.value("namespace") != nil
      self = .complete(
        isNamed ? try members.namespace() : nil, address: try members.requiredText("address"))
    case "introspect": self = .introspect(try members.namespace())
    case "examine": self = .examine
    default:
      throw ControlMessageError("the verb \(PrintableText.quoted(verb)) is not known")
    }
    try members.refuseOthers()
  }
}

/// How a person signs in.
package enum SignInFlow: String, Sendable, Hashable, CaseIterable {
  /// Authorization code with PKCE in the system's browser (RFC 8252).
  case browser
  /// A code that is typed in on another device (RFC 8628).
  case device
}

/// What a sign-in is asked for with.
package struct SignInRequest: Sendable, Hashable {
  /// An authorization parameter that the person adds.
  package struct Parameter: Sendable, Hashable {
    /// The parameter's name.
    package let name: String
    /// Its value, not yet percent-encoded.
    package let value: String

    /// Makes a parameter.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The namespace that is signed in.
  package let namespace: Namespace
  /// The flow that the person names; nil leaves it to the configuration.
  package let flow: SignInFlow?
  /// Whether a browser on this machine is of no use, as over SSH: the device flow where there is one.
  package let isRemote: Bool
  /// `login_hint` of OpenID Connect Core 3.1.2.1.
  package let loginHint: String?
  /// The configured way to sign in at the provider, by its name there.
  package let loginMethod: String?
  /// More authorization parameters, in order, each name once.
  package let parameters: [Parameter]

  /// Makes a request.
  package init(
    namespace: Namespace, flow: SignInFlow? = nil, isRemote: Bool = false,
    loginHint: String? = nil, loginMethod: String? = nil, parameters: [Parameter] = []
  ) {
    self.namespace = namespace
    self.flow = flow
    self.isRemote = isRemote
    self.loginHint = loginHint
    self.loginMethod = loginMethod
    self.parameters = parameters
  }

  fileprivate init(_ members: inout MessageMembers) throws(ControlMessageError) {
    namespace = try members.namespace()
    if let word = try members.text("flow") {
      guard let flow = SignInFlow(rawValue: word) else {
        throw members.wrong("flow", "\"browser\" or \"device\"")
      }
      self.flow = flow
    } else {
      flow = nil
    }
    let remote = members.value("remote")
    if let remote, remote.bool == nil { throw members.wrong("remote", "true or false") }
    isRemote = remote?.bool ?? false
    loginHint = try members.text("loginHint")
    loginMethod = try members.text("loginMethod")
    var parameters: [Parameter] = []
    if let value = members.value("parameters") {
      guard let object = value.object else { throw members.wrong("parameters", "an object") }
      for member in object.members {
        guard !member.name.isEmpty, let text = member.value.string else {
          throw members.wrong("parameters", "an object of strings")
        }
        parameters.append(Parameter(name: member.name, value: text))
      }
    }
    self.parameters = parameters
  }

  fileprivate func write(to object: inout JSONObject) {
    object["namespace"] = .string(namespace.name)
    object["flow"] = flow.map { .string($0.rawValue) }
    if isRemote { object["remote"] = .bool(true) }
    object["loginHint"] = loginHint.map { .string($0) }
    object["loginMethod"] = loginMethod.map { .string($0) }
    guard !parameters.isEmpty else { return }
    object["parameters"] = .object(
      JSONObject(parameters.map { ($0.name, JSONValue.string($0.value)) }))
  }
}
