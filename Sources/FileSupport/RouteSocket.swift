import CLinux

/// A socket by which the kernel tells of addresses and routes (`rtnetlink(7)`).
package final class RouteSocket: Sendable {
  private let descriptor: FileDescriptor

  /// Listens from now on.
  ///
  /// - Throws: the error number of `socket(2)` or `bind(2)`.
  package init() throws(Errno) {
    let number = clinux_route_socket()
    guard number >= 0 else { throw .current }
    descriptor = FileDescriptor(owning: number)
  }

  /// The descriptor's number, readable while something waits.
  package var rawDescriptor: Int32 { descriptor.rawValue }

  /// Reads everything that waits.
  ///
  /// - Returns: whether an address or a route has come, or more than could be told.
  /// - Throws: the error number.
  package func hasGained() throws(Errno) -> Bool {
    let status = clinux_route_gain(descriptor.rawValue)
    guard status >= 0 else { throw .current }
    return status > 0
  }
}
