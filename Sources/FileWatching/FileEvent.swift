/// What happened to a watched file: always a hint, the file itself is the state.
package enum FileEvent: Sendable, Hashable {
  /// The watch is in place, so that nothing is missed by reading from now on.
  case began
  /// Another file has the name now.
  case replaced
  /// No file has the name any more.
  case removed
  /// The kernel dropped events (`IN_Q_OVERFLOW`); the file may have changed any number of times.
  case overflow
  /// Somebody who could write to the file has closed it, as a process does that ends.
  case writerGone
  /// The alarm of the watch went off, or the wall clock was set.
  case alarm
  /// The file is the same, but changes are noticed in another way than before.
  case modeChanged
}
