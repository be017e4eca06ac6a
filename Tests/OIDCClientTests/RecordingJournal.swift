import GrantModel
import Synchronization

/// A host's journal that notes what it is given and can refuse to keep it.
final class RecordingJournal: GrantJournal {
  private let written = Mutex<[String?]>([])
  private let failure: JournalError?
  private let exchangeFailure: JournalError?
  private let onWrite: @Sendable () -> Void

  /// Makes a journal.
  ///
  /// - Parameters:
  ///   - failure: what every write ends with; nil lets them succeed.
  ///   - exchangeFailure: what the note of an exchange ends with; nil lets it succeed.
  ///   - onWrite: called at every write, before it returns.
  init(
    failure: JournalError? = nil, exchangeFailure: JournalError? = nil,
    onWrite: @escaping @Sendable () -> Void = {}
  ) {
    self.failure = failure
    self.exchangeFailure = exchangeFailure
    self.onWrite = onWrite
  }

  /// The refresh tokens that became durable, in order; nil for an answer that had none.
  var tokens: [String?] { written.withLock { $0 } }

  func announceExchange() async throws(JournalError) {
    if let exchangeFailure { throw exchangeFailure }
  }

  func write(_ grant: ProvisionalGrant) async throws(JournalError) {
    onWrite()
    if let failure { throw failure }
    written.withLock { $0.append(grant.refreshToken?.copiedText()) }
  }
}
