import VaultReader

/// Decides whether a state that was read is worth an update, and of which kind.
struct UpdateJudge: Sendable {
  private var last: VaultUpdate?
  // The last state that named an account: a sign-out between two accounts hides neither.
  private var account: VaultState?

  /// Takes in what was read.
  ///
  /// - Parameters:
  ///   - state: the namespace's state.
  ///   - mode: how changes are noticed.
  /// - Returns: the update; nil when nothing is new.
  mutating func judge(_ state: VaultState, mode: VaultWatchMode) -> VaultUpdate? {
    guard let change = change(state, mode) else { return nil }
    let update = VaultUpdate(state: state, change: change, watchMode: mode)
    last = update
    if state.accountFingerprint != nil { account = state }
    return update
  }

  private func change(_ state: VaultState, _ mode: VaultWatchMode) -> VaultChange? {
    guard let last else { return .current }
    if let account, state.isOfAnotherAccount(than: account) { return .accountChanged }
    if !state.hasSameSnapshot(as: last.state) { return .snapshot }
    if !state.saysTheSame(as: last.state) { return .condition }
    return mode == last.watchMode ? nil : .watchMode
  }
}
