public import SessionModel
public import VaultReader

/// What a bar shows of one namespace at one moment.
public struct BarState: Sendable, Hashable {
  /// The namespace's name.
  public let namespace: String
  /// The account's name for people, not fit for any bar as it is.
  public let account: String?
  /// Whether the access token may be used.
  public let session: SessionState
  /// What the host says of itself.
  public let host: HostCondition
  /// How long the access token is good.
  public let expiresIn: Duration?
  /// How long the access token was good when it was published.
  public let lifetime: Duration?
  /// Why the state is what it is, one sentence.
  public let reason: String?
  /// What a person can do about it, one sentence.
  public let nextStep: String?

  /// Takes what a bar shows from a state.
  ///
  /// - Parameter state: what a reader knows of the namespace.
  public init(_ state: VaultState) {
    self.init(
      namespace: state.namespace, account: state.accountName, session: state.session,
      host: state.host, expiresIn: state.expiresIn,
      lifetime: Self.lifetime(from: state.publishedAt, to: state.expiresAt), reason: state.reason,
      nextStep: state.nextStep)
  }

  /// Makes a state of its parts.
  package init(
    namespace: String, account: String? = nil, session: SessionState, host: HostCondition,
    expiresIn: Duration? = nil, lifetime: Duration? = nil, reason: String? = nil,
    nextStep: String? = nil
  ) {
    self.namespace = namespace
    self.account = account
    self.session = session
    self.host = host
    self.expiresIn = expiresIn
    self.lifetime = lifetime
    self.reason = reason
    self.nextStep = nextStep
  }

  /// The condition in one word.
  public var condition: BarCondition { BarCondition(session: session, host: host) }

  /// The condition as people read it: `valid`, `offline`, `expired, offline`, `key unavailable`.
  var label: String {
    switch condition {
    case .error: words(session.word)
    case .expired: "expired" + (BarCondition(trouble: host).map { ", " + $0.text } ?? "")
    default: condition.text
    }
  }

  /// How much of the token's time is left, from 0 to 100; 0 where that is not known.
  var percentage: Int64 {
    guard let expiresIn, let lifetime, lifetime > .zero, expiresIn > .zero else { return 0 }
    return min(100, Int64((expiresIn / lifetime * 100).rounded()))
  }

  private static func lifetime(from start: UnixTime?, to end: UnixTime?) -> Duration? {
    guard let start, let end, end.rawValue > start.rawValue,
      case let (seconds, isTooLong) = end.rawValue.subtractingReportingOverflow(start.rawValue),
      !isTooLong
    else { return nil }
    return .seconds(seconds)
  }

  private func words(_ name: String) -> String {
    String(name.map { $0 == "-" ? " " : $0 })
  }
}
