/// What the host says of itself in each snapshot: why the next one may be late.
public enum HostState: Sendable, Hashable {
  /// The host works as planned.
  case ok
  /// A renewal is under way.
  case renewing
  /// The provider cannot be reached; the host goes on trying.
  case offline
  /// The provider or the back-off asked for patience until a time.
  case waiting(until: UnixTime)
  /// The host cannot write its canonical state.
  case storageFailed
  /// The host's key is locked away; nothing is renewed until it is unlocked.
  case locked
}

/// The host as a reader sees it: what the last snapshot said, or that it has gone silent.
public enum HostCondition: Sendable, Hashable {
  /// The state in the last snapshot, published by a host that still runs and is on time.
  case reported(HostState)
  /// No host runs, or the next publication is overdue.
  case stale
  /// Nothing can be told: no snapshot could be read, nor whether a host runs.
  case unknown
}

extension HostCondition {
  /// The stable word used in `status --json`: `ok`, `renewing`, `offline`, `waiting`,
  /// `storage-failed`, `locked`, `stale` or `unknown`.
  public var word: String {
    switch self {
    case .reported(.ok): "ok"
    case .reported(.renewing): "renewing"
    case .reported(.offline): "offline"
    case .reported(.waiting): "waiting"
    case .reported(.storageFailed): "storage-failed"
    case .reported(.locked): "locked"
    case .stale: "stale"
    case .unknown: "unknown"
    }
  }
}
