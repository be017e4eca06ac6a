/// How changes of a file are noticed.
package enum WatchMode: Sendable, Hashable {
  /// By inotify, within microseconds.
  case inotify
  /// By looking every second, because inotify cannot be used.
  case polling(PollingReason)
}
