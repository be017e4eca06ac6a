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
    if given != nil { return await performUnlock(given, lockings) }
    if keys.storage == .passphrase, keys.obtain == nil {
      do {
        return .passphraseNeeded(isNew: try home.keyStorage() == nil)
      } catch {
        return .failed(.storage, error.description)
      }
    }
    return await unlockTask().value
  }

  // What is begun here counts from here on: a wish to lock that comes later is the later one.
  private func unlockTask() -> Task<UnlockReport, Never> {
    if let unlocking { return unlocking }
    let lockings = lockings
    let task = Task {
      let report = await self.performUnlock(nil, lockings)
      if lockings == self.lockings { self.unlocking = nil }
      return report
    }
    unlocking = task
    return task
  }

  /// Lets go of the key and of every session, and tells readers so.
  ///
  /// Renewals that are under way are waited for, but not for long; they end by themselves then. An
  /// unlocking that is under way brings nothing back.
  /// - Parameter isByHand: whether somebody asked for it, who then has to unlock it as well.
  package func lock(byHand isByHand: Bool) async {
    lockings += 1
    unlocking = nil
    if isByHand { isLockedByHand = true }
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

  /// Follows the person's own session at the machine, which was locked or unlocked.
  ///
  /// What was locked by hand stays so, and a passphrase that only a person can bring is waited for.
  /// Nobody waits for the key here: a keyring may ask for it first.
  /// - Parameter isLocked: whether the session is locked now.
  package func follow(sessionLocked isLocked: Bool) async {
    guard !isStopping else { return }
    if isLocked { return await lock(byHand: false) }
    guard opened == nil, !isLockedByHand else { return }
    guard keys.storage != .passphrase || keys.obtain != nil else {
      log(.info, "the session was unlocked; \(HostService.lockedMessage)")
      return
    }
    _ = unlockTask()
  }

  private func performUnlock(
    _ given: SharedSecret?, _ lockings: UInt64
  ) async -> UnlockReport {
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
    guard lockings == self.lockings else {
      return .failed(.locked, "the host was locked meanwhile; run: tokenvault unlock")
    }
    guard opened == nil else { return .unlocked }
    do throws(HostStartError) {
      try take(result.get())
    } catch {
      log(.error, "the host stays locked: \(error)")
      if case .store(.keyRefused) = error { return .failed(.locked, error.description) }
      return .failed(.storage, error.description)
    }
    log(.info, "unlocked")
    isLockedByHand = false
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
