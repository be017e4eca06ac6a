/// A way to get sessions and to keep them alive: one protocol, one provider, one client.
///
/// The host knows providers through this seam only. OpenID Connect is the first source.
package protocol SessionSource: Sendable {
  /// Signs a person in. Never called without a person's wish.
  ///
  /// Cancelling the task calls the sign-in off: every port is closed within a second.
  /// - Parameters:
  ///   - request: what the person asked for.
  ///   - journal: where the grant becomes durable as soon as the provider has handed it over.
  ///   - prompt: shows the person where to go; called before the person is waited for.
  /// - Returns: how it ended.
  func signIn(
    _ request: SignInRequest, journal: some GrantJournal,
    prompt: @escaping @Sendable (SignInPrompt) async -> Void
  ) async -> GrantOutcome

  /// Renews a session with its refresh token, with at most one request that could rotate it.
  ///
  /// - Parameters:
  ///   - grant: what is stored.
  ///   - journal: where a rotated token becomes durable before anything else is looked at.
  /// - Returns: how it ended.
  func renew(_ grant: Grant, journal: some GrantJournal) async -> GrantOutcome

  /// Tells the provider that a grant is not wanted any more.
  ///
  /// - Parameter token: the token whose grant is to be forgotten.
  /// - Returns: how it ended.
  func revoke(_ token: RevocableToken) async -> RevocationOutcome

  /// Takes the address that a person's browser was sent back to, where it could not be opened.
  ///
  /// - Parameter address: the whole address; a secret while the sign-in waits for it.
  /// - Returns: whether a sign-in that waits has taken it.
  func deliver(_ address: String) async -> DeliveryOutcome

  /// Ends the person's session in the browser at the provider, after the session here has ended.
  ///
  /// - Parameters:
  ///   - grant: what was stored.
  ///   - prompt: shows the person where to go; called before the person is waited for.
  /// - Returns: how it ended; nothing here depends on it.
  func endSession(
    of grant: Grant, prompt: @escaping @Sendable (SignInPrompt) async -> Void
  ) async -> EndOfSessionOutcome

  /// Asks the provider what it holds of the access token; nothing changes by it.
  ///
  /// - Parameter grant: what is stored.
  /// - Returns: what the provider says.
  func introspect(_ grant: Grant) async -> IntrospectionOutcome

  /// Looks whether the provider answers at this moment, with nothing secret and nothing changed.
  ///
  /// - Returns: what came of it, within a few seconds; nil where there is nothing to be reached.
  func reach() async -> ProviderReach?
}

extension SessionSource {
  /// Takes nothing: only some sign-ins end with an address.
  package func deliver(_ address: String) async -> DeliveryOutcome {
    .notAwaited
  }

  /// Ends nothing: only some providers have such sessions.
  package func endSession(
    of grant: Grant, prompt: @escaping @Sendable (SignInPrompt) async -> Void
  ) async -> EndOfSessionOutcome {
    .unsupported("the provider has no session of its own to end")
  }

  /// Asks nothing: only some providers tell.
  package func introspect(_ grant: Grant) async -> IntrospectionOutcome {
    .unsupported("the provider tells nothing about its tokens")
  }

  /// Looks for nothing: only some providers are on a network.
  package func reach() async -> ProviderReach? { nil }
}

/// What became of an address that was brought by hand.
package enum DeliveryOutcome: Sendable, Hashable {
  /// A sign-in has taken it and goes on.
  case taken
  /// A sign-in waits and has not; the text says why, in one sentence.
  case refused(String)
  /// No sign-in waits for an address.
  case notAwaited
}

/// How the end of the person's session at the provider ended.
package enum EndOfSessionOutcome: Sendable, Hashable {
  /// The provider has sent the browser back and meant this.
  case done
  /// The browser did not come back, or not with what was sent; the text says which.
  case unconfirmed(String)
  /// The provider offers no such thing; the text says so.
  case unsupported(String)
}

/// What a person asked for when signing in.
package struct SignInRequest: Sendable, Hashable {
  /// How the person reaches the provider.
  package enum Flow: String, Sendable, Hashable {
    /// A browser on this machine, back over a loopback redirect (RFC 8252).
    case browser
    /// Another device, with a code to type (RFC 8628).
    case device
  }

  /// The flow, or nil for the configured one.
  package let flow: Flow?
  /// Whether the person's browser is on another machine: another device is asked where possible.
  package let isRemote: Bool
  /// Whom the provider should expect (`login_hint`), presentation only.
  package let loginHint: String?
  /// The configured way to sign in at the provider, by its name there; presentation only.
  package let loginMethod: String?
  /// Further parameters of the authorization request, presentation only, in this order.
  package let parameters: [Parameter]

  /// One parameter of the authorization request.
  package struct Parameter: Sendable, Hashable {
    /// Its name.
    package let name: String
    /// Its value.
    package let value: String

    /// Creates a parameter.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// Creates a request.
  package init(
    flow: Flow? = nil, isRemote: Bool = false, loginHint: String? = nil,
    loginMethod: String? = nil, parameters: [Parameter] = []
  ) {
    self.flow = flow
    self.isRemote = isRemote
    self.loginHint = loginHint
    self.loginMethod = loginMethod
    self.parameters = parameters
  }
}

/// Where the person has to go.
package enum SignInPrompt: Sendable, Hashable {
  /// Open this authorization URL in a browser on this machine.
  case authorize(url: String)
  /// Open this address in a browser on this machine to end the session at the provider.
  case endSession(url: String)
  /// Open a page on any device and type the code (RFC 8628 3.3).
  case device(DeviceInstructions)

  /// What to show for a device sign-in.
  package struct DeviceInstructions: Sendable, Hashable {
    /// The page (`verification_uri`).
    package let verificationURI: String
    /// The page with the code filled in (`verification_uri_complete`).
    package let completeVerificationURI: String?
    /// The code to type or to compare (`user_code`).
    package let userCode: String
    /// How long the code is good.
    package let validFor: Duration

    /// Creates instructions.
    package init(
      verificationURI: String, completeVerificationURI: String?, userCode: String,
      validFor: Duration
    ) {
      self.verificationURI = verificationURI
      self.completeVerificationURI = completeVerificationURI
      self.userCode = userCode
      self.validFor = validFor
    }
  }
}
