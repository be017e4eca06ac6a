import Synchronization

/// The queues of renewals, one for each provider.
package final class RenewalQueues: Sendable {
  private let queues = Mutex<[String: RenewalQueue]>([:])

  /// Creates none yet.
  package init() {}

  /// Returns the queue of a provider, the same each time.
  ///
  /// - Parameter issuer: the provider's identifier.
  /// - Returns: its queue.
  package func queue(of issuer: String) -> RenewalQueue {
    queues.withLock { queues in
      if let queue = queues[issuer] { return queue }
      let queue = RenewalQueue()
      queues[issuer] = queue
      return queue
    }
  }
}
