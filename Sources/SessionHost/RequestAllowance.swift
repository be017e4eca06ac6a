package import HostControl
package import SessionModel

/// How often callers may have the host ask a provider, for each verb and namespace.
///
/// Renewals are not its business: they are shared, and `NamespaceSession` paces them. What is counted
/// here asks the provider anew each time: thirty at once, and one more every two seconds.
package struct RequestAllowance: Sendable {
  /// How many requests may come at once.
  package static let burst = 30
  /// After how long one more is allowed.
  package static let interval: Duration = .seconds(2)

  private struct Key: Hashable {
    let verb: String
    let namespace: Namespace
  }

  // When the whole burst is to be had again; what is past says nothing.
  private var wholeAt: [Key: BootTime] = [:]

  /// Makes an allowance of which nothing is used.
  package init() {}

  /// Counts a request where it counts and may be carried out.
  ///
  /// - Parameters:
  ///   - request: the request of a namespace that exists.
  ///   - now: the time.
  /// - Returns: nil where it may be carried out, else how long it has to wait.
  package mutating func take(_ request: ControlRequest, now: BootTime) -> Duration? {
    guard let namespace = request.askedProvider else { return nil }
    let key = Key(verb: request.verb, namespace: namespace)
    let whole = max(wholeAt[key] ?? now, now)
    let excess = whole.since(now) - Self.interval * (Self.burst - 1)
    guard excess <= .zero else { return excess }
    wholeAt[key] = whole + Self.interval
    return nil
  }
}

extension ControlRequest {
  /// The namespace whose provider is asked anew each time the request is made; nil for others.
  package var askedProvider: Namespace? {
    switch self {
    case .signIn(let request): request.namespace
    case .signOutInBrowser(let namespace), .introspect(let namespace): namespace
    default: nil
    }
  }

  /// Whether the caller waits for a renewal together with others.
  var sharesRenewal: Bool {
    switch self {
    case .renew, .rejected: true
    default: false
    }
  }
}
