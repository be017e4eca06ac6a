internal import Glibc

/// A lock that keeps the watcher's thread in a handler for as long as the test wants.
package final class HandlerStop: Sendable {
  /// Open once the handler is held.
  package let isHolding = Gate()
  private let pipe: [Int32]

  /// Creates a lock that is open.
  ///
  /// - Throws: the call that failed.
  package init() throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe Glibc.pipe(&ends) == 0 else { throw SystemCallError("pipe", "a lock") }
    pipe = ends
  }

  deinit { for descriptor in pipe { close(descriptor) } }

  /// Blocks until `release`, at the first call only.
  package func hold() {
    guard !isHolding.isOpen else { return }
    isHolding.open()
    var byte: UInt8 = 0
    unsafe _ = read(pipe[0], &byte, 1)
  }

  /// Lets the handler go on.
  package func release() {
    var byte: UInt8 = 1
    unsafe _ = write(pipe[1], &byte, 1)
  }
}
