import FileSupport
package import HostControl
package import SecretMemory
import SecureStore
import SessionModel

/// How an unlocking ended for whoever asked for it.
package enum UnlockReport: Sendable, Hashable {
  /// The key is there and the sessions go on.
  case unlocked
  /// A person has to bring the passphrase, or to choose one where there is none yet.
  case passphraseNeeded(isNew: Bool)
  /// The host stays locked.
  case failed(ControlFailureReason, String)
}

extension HostService {
  /// What somebody is told who asks for something that needs the key.
  static let lockedMessage = "the host is locked; run: tokenvault unlock"

  /// Brings the key back and takes up the sessions.
  ///
  /// - Parameter given: the passphrase, where a person has brought it; it comes before any other way.
  /// - Returns: how it ended.
  package func unlock(with given: SharedSecret? = nil) async -> UnlockReport {
    guard !isStopping else { return .failed(.stopping, "the host is stopping") }
    guard opened == nil else { return .unlocked }
    if given != nil { return await performUnlock(given) }
    if let unlocking { return await unlocking.value }
    if keys.storage == .passphrase, keys.obtain == nil {
      do {
        return .passphraseNeeded(isNew: try home.keyStorage() == nil)
      } catch {
        return .failed(.storage, error.description)
      }
    }
    let task = Task { await self.performUnlock(nil) }
    unlocking = task
    defer { unlocking = nil }
    return await task.value
  }

  /// Lets go of the key and of every session, and tells readers so.
  ///
  /// Renewals that are under way are waited for, but not for long; they end by themselves then.
  package func lock() async {
    if locking == nil {
      guard opened != nil else { return }
      let sessions = Array(sessions.values)
      opened = nil
      self.sessions = [:]
      unusable = [:]
      locking = Task {
        await withTaskGroup(of: Void.self) { group in
          for session in sessions { group.addTask { await session.stop() } }
        }
        self.finishLocking()
      }
      beginVigil()
    }
    _ = await locking?.value(within: HostService.stopLimit, by: time)
  }

  private func finishLocking() {
    locking = nil
    guard opened == nil, !isStopping else { return }
    publishLocked()
    log(.info, "locked")
  }

  private func performUnlock(_ given: SharedSecret?) async -> UnlockReport {
    // What a session of before still stores must be there before it is read.
    _ = await locking?.value
    var secret = given
    if secret == nil, let obtain = keys.obtain {
      switch await obtain() {
      case .success(let obtained): secret = obtained
      case .failure(let error):
        log(.error, "the host stays locked: \(error)")
        return .failed(.locked, error.description)
      }
    }
    let protection = KeyProtection(keys.storage, secret: secret, cost: keys.cost)
    let result = await open(protection)
    guard !isStopping else { return .failed(.stopping, "the host is stopping") }
    guard opened == nil else { return .unlocked }
    do throws(HostStartError) {
      try take(result.get())
    } catch {
      log(.error, "the host stays locked: \(error)")
      if case .store(.keyRefused) = error { return .failed(.locked, error.description) }
      return .failed(.storage, error.description)
    }
    log(.info, "unlocked")
    vigil?.cancel()
    await startSessions()
    return .unlocked
  }

  // Beside everything else: with a passphrase it takes a processor for a second.
  private func open(_ protection: KeyProtection) async -> Result<StateDirectory, HostStartError> {
    let home = home
    do {
      return try await DedicatedThread.value(of: "unlock", stackSize: 1 << 20) {
        Result { () throws(HostStartError) in
          try StateDirectory(in: home, protection: protection)
        }
      }
    } catch {
      return .failure(.file(.system(call: "pthread_create", path: home.keyPath, error)))
    }
  }

  /// Tells readers that the host is locked, now and then again, so that it does not seem gone.
  func beginVigil() {
    publishLocked()
    vigil?.cancel()
    var next = time.now().boot
    vigil = Task {
      while !Task.isCancelled {
        next = next + RenewalPolicy.heartbeat * 5 / 6
        do { try await time.sleep(next) } catch { return }
        self.publishLocked()
      }
    }
  }

  private func publishLocked() {
    LockedSnapshots(publisher: runtime.publisher, time: time, log: log).publish(setups.values)
  }

  /// What `status` says of a configured namespace while the host is locked.
  static func lockedStatus(of setup: NamespaceSession.Setup) -> [NamespaceStatus] {
    setup.status(
      .keyUnavailable, host: .locked, reason: "the host is locked",
      nextStep: "run: tokenvault unlock")
  }
}
