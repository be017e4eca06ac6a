package import SessionModel

// What the host is told while it runs: another configuration, that time has passed, that it is alive.
extension HostService {
  /// Goes over to another configuration.
  ///
  /// Sessions whose configuration is as it was go on undisturbed. The others end as they do at the
  /// host's end, what is under way first, and begin anew from what is stored.
  /// - Parameters:
  ///   - setups: the namespaces as they are configured now.
  ///   - unchanged: those of them whose configuration is as it was.
  ///   - unixGroups: whose members read an access group, where the host is a system service.
  package func reload(
    _ setups: [NamespaceSession.Setup], unchanged: Set<Namespace>,
    unixGroups: [AccessGroup: UInt32] = [:]
  ) async {
    self.setups = Dictionary(setups.map { ($0.namespace, $0) }, uniquingKeysWith: { $1 })
    do {
      // First: whoever may not read any more must not wait for a session that ends slowly.
      try runtime.share(unixGroups)
    } catch {
      log(.error, "the access groups could not be given to their Unix groups: \(error)")
    }
    // A locked host takes up what is configured then, once it is unlocked.
    guard opened != nil else { return }
    let kept = unchanged.intersection(sessions.keys)
    let leaving = sessions.filter { !kept.contains($0.key) }
    let arriving = setups.filter { !kept.contains($0.namespace) }
    unusable = unusable.filter { entry in setups.contains { $0.namespace == entry.key } }
    await withTaskGroup(of: Void.self) { group in
      // A provider that hangs holds up its own namespace alone.
      for setup in arriving {
        let former = leaving[setup.namespace]
        group.addTask {
          await former?.stop()
          await self.begin(setup)
        }
      }
      for (namespace, session) in leaving
      where !setups.contains(where: { $0.namespace == namespace }) {
        group.addTask {
          await session.stop()
          await self.remove(namespace)
        }
      }
    }
    guard !isStopping else { return }
    beginRevival()
    do {
      try opened?.loader.settleOrphans(configured: setups)
    } catch {
      log(.warning, "snapshots that nobody owns any more could not be settled: \(error)")
    }
  }

  private func begin(_ setup: NamespaceSession.Setup) async {
    guard !isStopping, let opened else { return }
    sessions[setup.namespace] = nil
    unusable[setup.namespace] = nil
    do {
      switch try opened.loader.load(setup) {
      case .session(let session):
        sessions[setup.namespace] = session
        await session.start()
      case .unusable(let reason): unusable[setup.namespace] = reason
      }
    } catch {
      unusable[setup.namespace] = UnusableNamespace(setup, error)
    }
  }

  private func remove(_ namespace: Namespace) {
    sessions[namespace] = nil
  }

  /// Tries at once what is overdue: the machine has woken up, or the network may be back.
  package func tryOverdue() async {
    for session in sessions.values { await session.tryOverdue() }
  }

  /// Returns once every part that does the work has had a turn, which is what a watchdog asks for.
  ///
  /// A provider that hangs keeps nobody from it; a session or a control socket that is stuck does.
  package func beat() async {
    for session in sessions.values { await session.beat() }
    await runtime.beat()
  }
}
