import Synchronization

/// What the owner of a watch and the loop have in common.
final class WatchTicket: Sendable {
  /// The watch's number.
  let number: Int
  private let cancelled = Atomic(false)

  /// Whether nothing may be told any more.
  var isCancelled: Bool { cancelled.load(ordering: .acquiring) }

  /// Creates the ticket of a watch.
  init(number: Int) { self.number = number }

  /// Lets no further call of the handler begin.
  func cancel() { cancelled.store(true, ordering: .releasing) }
}
