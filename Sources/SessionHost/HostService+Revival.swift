import SessionModel

// Sessions whose storage could not be read come back with it.
extension HostService {
  /// How long the host waits between two looks at what it could not read.
  package static let revivalInterval: Duration = .seconds(30)

  /// Takes a namespace up that could not be used, where it can be by now.
  func revive(_ namespace: Namespace) async {
    guard !isStopping, unusable[namespace] != nil, let setup = setups[namespace], let opened
    else { return }
    let session: NamespaceSession
    do {
      session = try opened.loader.session(for: setup)
    } catch {
      unusable[namespace] = UnusableNamespace(setup, error)
      return
    }
    unusable[namespace] = nil
    sessions[namespace] = session
    log(.info, "\(namespace): the stored session can be used again")
    await session.start()
  }

  /// Begins to look again and again, where there is something that could not be read.
  func beginRevival() {
    revival?.cancel()
    if !unusable.isEmpty { revival = Task { await self.reviveLater() } }
  }

  private func reviveLater() async {
    while !unusable.isEmpty, !Task.isCancelled {
      do { try await time.sleep(time.now().boot + Self.revivalInterval) } catch { return }
      for namespace in Array(unusable.keys) { await revive(namespace) }
    }
  }
}
