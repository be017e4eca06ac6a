/// The connections that have not yet sent a whole request, oldest first.
///
/// libmicrohttpd's own limit counts inactivity, so one byte a second would hold a connection for
/// ever, and at its connection limit it stops accepting. This book gives every request one absolute
/// deadline and names the oldest silent connection when the table fills, so that a thousand open
/// connections never keep the right one out.
package struct ConnectionBook {
  /// A connection that owes a request.
  private struct Waiting {
    let socket: Int32
    let deadline: ContinuousClock.Instant
  }

  private var waiting: [Waiting] = []
  private var open = 0
  private let capacity: Int
  private let allowance: Duration

  /// Makes an empty book.
  ///
  /// - Parameters:
  ///   - capacity: How many connections may be open before silent ones are closed.
  ///   - allowance: How long a connection may take for a whole request.
  package init(capacity: Int, allowance: Duration) {
    self.capacity = capacity
    self.allowance = allowance
  }

  /// The first deadline, nil while no connection owes a request.
  package var firstDeadline: ContinuousClock.Instant? { waiting.first?.deadline }

  /// Notes a new connection.
  ///
  /// - Returns: The socket to shut down to make room, if any.
  package mutating func opened(_ socket: Int32, at now: ContinuousClock.Instant) -> Int32? {
    open += 1
    let evicted = open > capacity && !waiting.isEmpty ? waiting.removeFirst().socket : nil
    waiting.append(Waiting(socket: socket, deadline: now + allowance))
    return evicted
  }

  /// Notes that the connection sent a whole request.
  package mutating func received(_ socket: Int32) {
    waiting.removeAll { $0.socket == socket }
  }

  /// Notes that a request was answered and the next one may come.
  package mutating func answered(_ socket: Int32, at now: ContinuousClock.Instant) {
    waiting.removeAll { $0.socket == socket }
    waiting.append(Waiting(socket: socket, deadline: now + allowance))
  }

  /// Notes that the connection is about to be closed; its socket is never named again.
  package mutating func closed(_ socket: Int32) {
    open -= 1
    waiting.removeAll { $0.socket == socket }
  }

  /// Removes and returns the sockets whose deadline has passed.
  package mutating func overdue(at now: ContinuousClock.Instant) -> [Int32] {
    let late = waiting.prefix { $0.deadline <= now }
    waiting.removeFirst(late.count)
    return late.map(\.socket)
  }
}
