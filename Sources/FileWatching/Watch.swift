/// One watch as the loop has it; nobody else keeps its handler.
struct Watch: Sendable {
  /// What its owner has of it.
  let ticket: WatchTicket
  /// What is watched.
  let request: WatchRequest
  /// Called by whoever serves the watch.
  let handler: @Sendable (WatchNotice) -> Void
}
