/// What a watcher tells whoever watches a file.
package struct WatchNotice: Sendable, Hashable {
  /// What happened.
  package let event: FileEvent
  /// How changes are noticed now.
  package let mode: WatchMode
}
