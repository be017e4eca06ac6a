import FileSupport
import Synchronization

/// Starts commands for a person's clicks: a command that still runs is not started once more.
package final class SoleRun: Sendable {
  private let running = Mutex<[[String]]>([])

  /// Makes one that has started nothing.
  package init() {}

  /// Starts a command in a session of its own, without any of our streams.
  ///
  /// - Parameter command: the program and its arguments.
  /// - Returns: whether it was started: not where it runs already or cannot be.
  @discardableResult
  package func start(_ command: [String]) -> Bool {
    let isFree = running.withLock { running in
      guard !running.contains(command) else { return false }
      running.append(command)
      return true
    }
    guard isFree else { return false }
    guard
      let child = try? ChildProcess(command, output: .null, error: .null, group: .session)
    else {
      end(command)
      return false
    }
    do throws(Errno) {
      try child.leave { [self] _ in end(command) }
    } catch {
      end(command)
    }
    return true
  }

  private func end(_ command: [String]) {
    running.withLock { $0.removeAll { $0 == command } }
  }
}
