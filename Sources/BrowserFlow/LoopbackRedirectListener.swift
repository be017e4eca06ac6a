internal import LoopbackHTTP
internal import SecretMemory
package import SessionModel

/// Listens for the authorization response of one sign-in, and for nothing after it (RFC 8252 8.3).
///
/// The port is open from `init` until the response, the deadline, a cancellation or `close()`. The
/// browser that brought the response waits for `conclude(_:)`, on the connection that it has.
package final class LoopbackRedirectListener: Sendable {
  /// The redirect URI to send in the authorization request and in the token request.
  package let redirectURI: String

  /// How long a browser waits to be told how the sign-in ended.
  package static let patience = Duration.seconds(45)

  private let inbox: RedirectInbox
  /// Nil where the desktop delivers the redirect.
  private let server: LoopbackServer?

  /// Opens the first redirect URI whose port is free.
  ///
  /// - Parameters:
  ///   - targets: The redirect URIs in order.
  ///   - state: The `state` of the request.
  ///   - purpose: What the browser comes back from.
  ///   - patience: How long a browser waits to be told how the sign-in ended.
  ///   - judge: Decides about a response with the right state, on another thread.
  /// - Throws: `RedirectListenerError` with what happened to each of the URIs.
  package init(
    targets: [RedirectTarget] = RedirectTarget.anyFreePort, state: String,
    purpose: RedirectPurpose = .authorization,
    patience: Duration = LoopbackRedirectListener.patience,
    judge: @escaping @Sendable (RedirectParameters) -> RedirectVerdict = { _ in .taken }
  ) throws(RedirectListenerError) {
    var failures: [String] = []
    for target in targets {
      let inbox = RedirectInbox(
        RedirectTransaction(
          path: target.requestPath, state: state, purpose: purpose, judge: judge),
        patience: patience)
      var options = LoopbackServer.Options()
      options.threadPerConnection = true
      options.addresses = target.addresses
      if target.host == .localhost { options.hosts = .boundAddressOrLocalhost }
      do {
        let server = try LoopbackServer(port: target.port, options: options) {
          inbox.receive($0)
        }
        self.server = server
        self.inbox = inbox
        redirectURI = target.uri(port: server.port)
        return
      } catch {
        failures.append(error.description)
      }
    }
    throw RedirectListenerError(failures: failures)
  }

  /// Waits for a redirect to a scheme of the client's own; no port is opened.
  ///
  /// The desktop starts a program with the address, which delivers it (RFC 8252 7.1).
  ///
  /// - Parameters:
  ///   - redirect: The redirect URI.
  ///   - state: The `state` of the request.
  ///   - judge: Decides about a response with the right state.
  package init(
    privateUse redirect: PrivateUseRedirect, state: String,
    judge: @escaping @Sendable (RedirectParameters) -> RedirectVerdict
  ) {
    inbox = RedirectInbox(RedirectTransaction(path: "/", state: state, judge: judge))
    server = nil
    redirectURI = redirect.uri
  }

  /// Waits for the response, then closes the port; the browser still waits for `conclude(_:)`.
  ///
  /// - Parameters:
  ///   - limit: How long to wait, from now.
  ///   - clock: The clock to wait on.
  /// - Returns: The parameters of the response, an error response too.
  /// - Throws: `RedirectError` when none came.
  package func response(
    within limit: Duration = .seconds(300), clock: some Clock<Duration>
  ) async throws(RedirectError) -> RedirectParameters {
    let inbox = inbox
    let deadline = Task {
      do {
        try await clock.sleep(for: limit)
        inbox.end(with: .timedOut)
      } catch {
        // The wait ended before the deadline and cancelled it.
        return
      }
    }
    let result = await withTaskCancellationHandler {
      await inbox.result()
    } onCancel: {
      inbox.end(with: .cancelled)
    }
    deadline.cancel()
    if case .success = result { server?.closePort() } else { server?.stop() }
    return try result.get()
  }

  /// Tells the browser that brought the response how the sign-in ended, and lets go of it.
  ///
  /// - Parameter ending: How it ended.
  package func conclude(_ ending: RedirectEnding) async {
    await inbox.conclude(ending)
    server?.stop()
  }

  /// Lets the browser depart from here, so that where it goes stands in no list of processes.
  ///
  /// - Parameter url: Where the browser is sent, once.
  /// - Returns: The address to open instead; nobody can guess it. Where no port is open, the URL.
  package func departure(to url: String) -> String {
    guard let server else { return url }
    let path = "/" + Base64URL.encode(randomBytes(32))
    inbox.setDeparture(path: path, location: url)
    return server.origin + path
  }

  /// Ends the wait, closes the port and lets go of a browser that waits.
  package func close() {
    inbox.end(with: .cancelled)
    server?.stop()
  }

  /// Takes the address the browser was sent to, pasted by a person whose browser is elsewhere.
  ///
  /// - Parameter url: The whole URL, as the browser shows it.
  /// - Throws: `RedirectDeliveryError` when it is not the response that is waited for.
  package func deliver(url: String) throws(RedirectDeliveryError) {
    guard url.utf8.count <= LoopbackServer.headerLimit else { throw .notTheRedirect }
    let parts = url.utf8.split(
      separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].elementsEqual(redirectURI.utf8) else {
      throw .notTheRedirect
    }
    let query = parts[1].prefix { $0 != UInt8(ascii: "#") }
    guard let items = FormItem.decode(query) else { throw .notTheRedirect }
    try inbox.deliver(items)
  }
}

/// What a browser comes back from.
package enum RedirectPurpose: Sendable {
  /// From an authorization request, with a code or an error.
  case authorization

  /// From the end of a session, with nothing but the state (OpenID RP-Initiated Logout 3).
  case endOfSession
}

/// None of the redirect URIs could be listened on.
package struct RedirectListenerError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What happened to each, in order.
  package let failures: [String]

  /// One sentence with the mend.
  package var description: String {
    failures.isEmpty ? "no redirect URI is configured" : failures.joined(separator: "; ")
  }
}

/// Why a pasted address was refused.
package enum RedirectDeliveryError: Error, Equatable, Sendable {
  /// The address does not start with the redirect URI, or its query is malformed.
  case notTheRedirect

  /// The address has this sign-in's state and nothing that the provider sends with it.
  case incomplete

  /// The address belongs to another sign-in, or this one is over.
  case notThisSignIn
}

extension RedirectDeliveryError: CustomStringConvertible {
  /// One sentence with the mend.
  package var description: String {
    switch self {
    case .notTheRedirect:
      "this is not the address the provider sent the browser to:"
        + " copy the whole address from the browser after signing in"
    case .incomplete:
      "this address is cut short: put it in single quotes, as a shell ends it at its first &"
    case .notThisSignIn:
      "this address belongs to another sign-in or was used before: start the sign-in again"
    }
  }
}
