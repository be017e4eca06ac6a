import SessionModel

extension SessionLoader {
  /// What became of the configured namespaces.
  struct LoadedState {
    let opened: OpenedState
    var sessions: [Namespace: NamespaceSession] = [:]
    var unusable: [Namespace: UnusableNamespace] = [:]
  }

  /// Makes every session, and settles what earlier hosts published.
  static func load(
    _ setups: [NamespaceSession.Setup], of state: StateDirectory, runtime: RuntimePresence,
    time: HostTime, log: HostLog
  ) throws(HostStartError) -> LoadedState {
    if let path = state.setAside {
      log(
        .error,
        "the master key is gone: what it had sealed was put aside as \(path); put the key back"
          + " together with it, or sign in again")
    }
    let loader = try SessionLoader(state: state, runtime: runtime, time: time, log: log)
    var loaded = LoadedState(opened: OpenedState(state: state, loader: loader))
    for setup in setups {
      switch try loader.load(setup) {
      case .session(let session): loaded.sessions[setup.namespace] = session
      case .unusable(let reason): loaded.unusable[setup.namespace] = reason
      }
    }
    try loader.settleOrphans(configured: setups)
    return loaded
  }
}
