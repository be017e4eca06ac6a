import FileSupport
import FileWatching
public import VaultReader

/// The updates of a namespace for a program without Swift concurrency, such as one with a loop
/// around `poll(2)`.
///
/// Nothing runs beside the program: it is its own calls that watch.
/// ```swift
/// let monitor = try VaultMonitor(vault, namespace: "primary")
/// while let update = monitor.next() { show(update.state) }
/// ```
public final class VaultMonitor: Sendable {
  private let bell: UpdateBell
  private let either: EventPoll
  private let source: UpdateSource

  /// Creates a monitor, which begins to watch when it is first asked for an update.
  ///
  /// - Parameters:
  ///   - vault: the vault.
  ///   - namespace: the namespace's name.
  /// - Throws: `VaultMonitorError` when the process has no descriptor left.
  public init(
    _ vault: TokenVault, namespace: String = "primary"
  ) throws(VaultMonitorError) {
    do {
      bell = try UpdateBell()
      either = try EventPoll(readable: [bell.rawDescriptor, FileWatcher.readiness()])
    } catch {
      throw VaultMonitorError(errno: error.rawValue)
    }
    source = UpdateSource(vault: vault, namespace: namespace, servedBy: .waiter) { [bell] in
      bell.ring()
    }
  }

  /// A descriptor that becomes readable when `next(timeout: .zero)` is worth a call.
  ///
  /// To be polled together with others, never read and never closed. It becomes so by itself too,
  /// where changes can only be looked for. Before each wait `next` has to be called until it
  /// returns nil.
  public var descriptor: Int32 { either.rawDescriptor }

  /// Waits for the next update: the present state at first, then each change.
  ///
  /// - Parameter timeout: how long to wait at most; nil waits without end.
  /// - Returns: the update; nil after the timeout.
  public func next(timeout: Duration? = nil) -> VaultUpdate? {
    let deadline = timeout.map { Deadline(after: $0) }
    while true {
      // First of all, and whatever the descriptor says: whoever has polled it himself has been told
      // what the kernel tells once only, such as a mount.
      bell.attend { FileWatcher.serve() }
      bell.silence()
      if let update = source.take() { return update }
      source.setAlarm()
      FileWatcher.settle()
      let left = deadline?.rest
      if left == .zero { return nil }
      // A signal ends the wait early, which only means to look once more.
      _ = try? waitForInput(either.rawDescriptor, timeout: left)
    }
  }
}

/// Why a monitor could not be made.
public struct VaultMonitorError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error number of the system call.
  public let errno: Int32

  /// One sentence with the mend.
  public var description: String {
    "no descriptor for watching: \(Errno(rawValue: errno)); close some files or raise the limit"
  }
}
