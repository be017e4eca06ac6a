/// Who does the work of a watch.
package enum WatchServer: Sendable {
  /// A thread of the watcher's own, which every watch of the process shares.
  case thread
  /// Whoever waits for it, by calling `FileWatcher.serve` when `FileWatcher.readiness` says so;
  /// the thread where another watch needs one.
  case waiter
}
