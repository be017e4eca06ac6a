/// The two addresses a server may listen on (RFC 8252 7.3).
package enum LoopbackAddress: Sendable, CaseIterable {
  /// 127.0.0.1
  case ipv4

  /// ::1
  case ipv6

  /// The address as it stands in a URI.
  package var literal: String {
    switch self {
    case .ipv4: "127.0.0.1"
    case .ipv6: "[::1]"
    }
  }

  /// Returns the origin of a server on this address, in the form of RFC 6454 section 6.1.
  package func origin(port: UInt16) -> String {
    "http://\(literal):\(port)"
  }
}
