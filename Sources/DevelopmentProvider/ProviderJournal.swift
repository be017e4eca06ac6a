/// One request in the journal; no token, code or secret is in it.
package struct JournalEntry: Sendable, Equatable {
  /// The endpoint.
  package let endpoint: ProviderEndpoint

  /// When it was answered, since the provider's start.
  package let time: Duration

  /// The `grant_type` of a token request.
  package let grantType: String?

  /// The status code, or nil when the connection was dropped.
  package let status: Int?

  /// The OAuth error of the answer.
  package let error: String?
}

extension JournalEntry: CustomStringConvertible {
  /// The request as one line of a log.
  package var description: String {
    let seconds = time.components.seconds
    let milliseconds = time.components.attoseconds / 1_000_000_000_000_000
    let fraction = String(1000 + milliseconds).dropFirst()
    let what = grantType.map { " \($0)" } ?? ""
    let outcome = status.map(String.init) ?? "dropped"
    return "\(seconds).\(fraction) \(endpoint.rawValue)\(what) \(outcome)"
      + (error.map { " \($0)" } ?? "")
  }
}

/// The requests so far, and who waits for more.
struct ProviderJournal {
  private struct Waiter {
    let identifier: Int
    let endpoint: ProviderEndpoint
    let count: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  // Enough for a test; a demonstration that runs for days forgets its first requests.
  private static let capacity = 10_000

  /// The latest requests, oldest first.
  private(set) var entries: [JournalEntry] = []

  private var totals: [ProviderEndpoint: Int] = [:]
  private var waiters: [Waiter] = []
  private var nextIdentifier = 0
  private var isClosed = false

  /// Returns how many requests an endpoint has had.
  func count(of endpoint: ProviderEndpoint) -> Int {
    totals[endpoint, default: 0]
  }

  /// Notes a request.
  ///
  /// - Returns: The waits that it ends.
  mutating func note(_ entry: JournalEntry) -> [CheckedContinuation<Bool, Never>] {
    if entries.count == Self.capacity { entries.removeFirst(Self.capacity / 2) }
    entries.append(entry)
    totals[entry.endpoint, default: 0] += 1
    let total = count(of: entry.endpoint)
    let satisfied = waiters.filter { $0.endpoint == entry.endpoint && total >= $0.count }
    waiters.removeAll { $0.endpoint == entry.endpoint && total >= $0.count }
    return satisfied.map(\.continuation)
  }

  /// Makes a number for a wait, so that it can be cancelled.
  mutating func makeIdentifier() -> Int {
    nextIdentifier += 1
    return nextIdentifier
  }

  /// Adds a wait for a number of requests.
  ///
  /// - Returns: Whether the requests came, where the wait is over already; else nil.
  mutating func wait(
    for count: Int, at endpoint: ProviderEndpoint, identifier: Int,
    _ continuation: CheckedContinuation<Bool, Never>
  ) -> Bool? {
    guard self.count(of: endpoint) < count else { return true }
    guard !isClosed else { return false }
    waiters.append(
      Waiter(
        identifier: identifier, endpoint: endpoint, count: count, continuation: continuation))
    return nil
  }

  /// Takes a wait out whose task was cancelled.
  mutating func cancel(_ identifier: Int) -> [CheckedContinuation<Bool, Never>] {
    let cancelled = waiters.filter { $0.identifier == identifier }
    waiters.removeAll { $0.identifier == identifier }
    return cancelled.map(\.continuation)
  }

  /// Ends every wait, also those that have not begun: no more requests will come.
  mutating func close() -> [CheckedContinuation<Bool, Never>] {
    isClosed = true
    defer { waiters = [] }
    return waiters.map(\.continuation)
  }
}
