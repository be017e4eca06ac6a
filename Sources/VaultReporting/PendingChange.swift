import CommandRuntime
package import HostControl

/// The last state of a namespace that nobody was told of yet.
///
/// A renewal publishes twice within moments: only the last of a burst is told, and what never
/// stops is told each second.
package struct PendingChange: Sendable {
  private var debounce = Debounce(quiet: .milliseconds(100), limit: .seconds(1))
  private var status: NamespaceStatus?

  /// Makes one that has nothing to tell.
  package init() {}

  /// Notes a state, which takes the place of the one before.
  ///
  /// - Parameters:
  ///   - status: The state.
  ///   - now: The boot clock, in nanoseconds.
  package mutating func note(_ status: NamespaceStatus, now: UInt64) {
    self.status = status
    debounce.note(now: now)
  }

  /// How long it is until there is something to tell.
  ///
  /// - Parameter now: The boot clock, in nanoseconds.
  /// - Returns: The time, nil while there is nothing.
  package func rest(now: UInt64) -> Duration? { debounce.rest(now: now) }

  /// Takes what there is to tell.
  ///
  /// - Parameter now: The boot clock, in nanoseconds.
  /// - Returns: The state, once; nil while it may still change.
  package mutating func take(now: UInt64) -> NamespaceStatus? {
    guard debounce.take(now: now) else { return nil }
    defer { status = nil }
    return status
  }
}
