/// One watch as the thread has it; nobody else keeps its handler.
struct Watch: Sendable {
  /// What its owner has of it.
  let ticket: WatchTicket
  /// What is watched.
  let request: WatchRequest
  /// Called on the watcher's thread.
  let handler: @Sendable (WatchNotice) -> Void
}
