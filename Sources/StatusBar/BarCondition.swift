import SessionModel

/// What a bar says of a session in one word: the session's state, or what is wrong with its host.
public enum BarCondition: String, Sendable, Hashable, CaseIterable {
  /// The access token is good.
  case valid
  /// The token is about to end.
  case expiring
  /// The token has ended.
  case expired
  /// The token is about to end or has ended, and the host is getting another one.
  case renewing
  /// The host cannot reach the provider.
  case offline
  /// The host waits before it tries again.
  case waiting
  /// The host cannot store its state.
  case storageFailed = "storage-failed"
  /// The host's key is locked.
  case locked
  /// No host runs, or it has gone silent.
  case stale
  /// The person signed out.
  case signedOut = "signed-out"
  /// A person has to sign in again.
  case reauthenticationRequired = "reauthentication-required"
  /// Nobody has signed in yet.
  case absent
  /// The snapshot cannot be read.
  case error

  /// The condition of a session and its host.
  ///
  /// A host in trouble counts for more than a good token, since the token's end comes next; a
  /// token that has ended counts for more than its cause.
  init(session: SessionState, host: HostCondition) {
    switch session {
    case .valid, .expiryUnknown: self = Self(trouble: host) ?? .valid
    case .expiring: self = Self(trouble: host) ?? (host == .renewing ? .renewing : .expiring)
    case .expired: self = host == .renewing ? .renewing : .expired
    case .signedOut: self = .signedOut
    case .reauthenticationRequired: self = .reauthenticationRequired
    case .absent: self = .absent
    case .unsupportedRecord, .keyUnavailable, .corrupt, .unsupportedVersion, .permission, .storage:
      self = .error
    }
  }

  /// What keeps a host from renewing; nil when nothing does.
  init?(trouble host: HostCondition) {
    switch host {
    case .reported(.ok), .reported(.renewing), .unknown: return nil
    case .reported(.offline): self = .offline
    case .reported(.waiting): self = .waiting
    case .reported(.storageFailed): self = .storageFailed
    case .reported(.locked): self = .locked
    case .stale: self = .stale
    }
  }

  /// How much it matters.
  public var severity: BarSeverity {
    switch self {
    case .valid: .good
    case .signedOut, .absent: .idle
    case .expiring, .renewing, .offline, .waiting, .locked, .stale: .warning
    case .expired, .storageFailed, .reauthenticationRequired, .error: .critical
    }
  }

  /// Whether a person has to sign in before anything else helps.
  var needsSignIn: Bool {
    switch self {
    case .signedOut, .reauthenticationRequired, .absent: true
    default: false
    }
  }

  /// What people read.
  var text: String {
    switch self {
    case .storageFailed: "storage failed"
    case .signedOut: "signed out"
    case .reauthenticationRequired: "sign in again"
    case .absent: "no session"
    default: rawValue
    }
  }
}

/// How much a condition matters to the person who looks at the bar.
public enum BarSeverity: String, Sendable, Hashable, CaseIterable {
  /// All is well.
  case good
  /// There is no session, and nothing is wrong with that.
  case idle
  /// Something will go wrong if it stays as it is.
  case warning
  /// Nothing works until somebody does something.
  case critical
}

extension HostCondition {
  fileprivate static var renewing: HostCondition { .reported(.renewing) }
}
