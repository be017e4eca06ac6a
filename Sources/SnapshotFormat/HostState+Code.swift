package import SessionModel

extension HostState {
  /// The number in the header.
  package var code: UInt16 {
    switch self {
    case .ok: 1
    case .renewing: 2
    case .offline: 3
    case .waiting: 4
    case .storageFailed: 5
    case .locked: 6
    }
  }

  /// The time that goes with the number; only `waiting` has one.
  package var codeTime: UnixTime? {
    if case .waiting(let until) = self { until } else { nil }
  }

  /// Reads a state from its number and time.
  ///
  /// The list is open: an unknown number says nothing of the session and counts as `ok`.
  /// - Returns: nil when the time is missing, or there although the state has none.
  init?(code: UInt16, time: UnixTime?) {
    let state: HostState
    switch (code, time) {
    case (4, let until?):
      self = .waiting(until: until)
      return
    case (4, nil): return nil
    case (2, _): state = .renewing
    case (3, _): state = .offline
    case (5, _): state = .storageFailed
    case (6, _): state = .locked
    case (1, _): state = .ok
    default:
      self = .ok
      return
    }
    guard time == nil else { return nil }
    self = state
  }
}
