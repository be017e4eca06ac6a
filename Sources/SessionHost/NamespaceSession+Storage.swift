import SecretMemory
import SecureStore
import SessionModel
import SnapshotFormat

/// Whether the record in memory is durable, and when storing it is tried again.
struct StorageState {
  /// When to try again; nil while everything is stored.
  var retryAt: BootTime?
  /// The failure in words, until something is stored.
  var failure: String?
  private var failures = 0

  /// Whether something is to be stored.
  var isBehind: Bool { retryAt != nil }

  /// Notes a failure.
  ///
  /// - Returns: whether it is the first of its kind.
  mutating func fail(_ text: String, now: BootTime, random: Double) -> Bool {
    failures += 1
    retryAt = now + RenewalPolicy.backOff(attempt: failures, random: random)
    defer { failure = text }
    return failure != text
  }
}

extension NamespaceSession {
  /// Makes a new record durable; when this fails, the record stays as it was.
  func commit(_ new: CanonicalRecord) throws(SecureStoreError) {
    var new = new
    new.life = publication.life
    new.generation = publication.generation
    do {
      try store.set(new.encoded(), .session, setup.namespace)
    } catch {
      // The file may hold the new record all the same, if only the last step failed. So the old one
      // is stored again as soon as that is possible.
      noteStorageFailure(error)
      throw error
    }
    let hadFailed = storage.failure != nil
    record = new
    stored = new
    storage = StorageState()
    if hadFailed {
      log(.info, "\(setup.namespace): stored again")
      publishSnapshot()
      beginSettlement()
    }
  }

  /// Makes a new record durable, or keeps it in memory and goes on trying.
  ///
  /// - Returns: whether it is durable.
  @discardableResult
  func commitOrKeep(_ new: CanonicalRecord) -> Bool {
    do {
      try commit(new)
      return true
    } catch {
      record = new
      return false
    }
  }

  /// Begins with nothing, as at the first start; what is under way is not believed any more.
  func beginAnew() {
    epoch += 1
    record = CanonicalRecord(life: .random())
    stored = record
    storage = StorageState()
    renewals.noteEnd()
    publication = PublicationState(of: record)
    revocationRetryAt = nil
    revocationFailures = 0
  }

  /// Tries once more to make the record in memory durable.
  ///
  /// - Returns: whether it is.
  @discardableResult
  func saveAgain() -> Bool {
    commitOrKeep(record)
  }

  private func noteStorageFailure(_ error: SecureStoreError) {
    let wasWorking = storage.failure == nil
    let isNew = storage.fail(
      error.description, now: time.now().boot, random: time.random())
    // The same fault at each try would only fill the journal.
    log(isNew ? .warning : .debug, "\(setup.namespace): \(error)")
    guard wasWorking else { return }
    setup.onError?(error.description)
    publishSnapshot()
    scheduleTimer()
  }
}

extension EncryptedStore {
  /// What is stored of a namespace; nil when there is nothing or it cannot be read.
  func readableRecord(of namespace: Namespace) -> CanonicalRecord? {
    guard let bytes = try? get(.session, namespace)?.copiedBytes() else { return nil }
    return try? CanonicalRecord(decoding: bytes)
  }
}
