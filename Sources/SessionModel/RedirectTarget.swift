/// A loopback redirect URI that a sign-in may listen on (RFC 8252 7.3).
package struct RedirectTarget: Sendable, Equatable {
  /// The host as it stands in the URI.
  package enum Host: String, Sendable, CaseIterable {
    /// 127.0.0.1
    case ipv4 = "127.0.0.1"

    /// ::1
    case ipv6 = "[::1]"

    /// localhost, for providers that register nothing else (RFC 8252 8.3 advises against it).
    case localhost = "localhost"
  }

  /// The host of the URI.
  package let host: Host

  /// The exact port, or 0 for any free one.
  package let port: UInt16

  /// The path, which starts with a slash or is empty.
  package let path: String

  /// Any free port: IPv4 first, then IPv6 (RFC 8252 7.3), with the path `/callback`.
  package static let anyFreePort = [
    RedirectTarget(host: .ipv4, port: 0, path: "/callback"),
    RedirectTarget(host: .ipv6, port: 0, path: "/callback"),
  ]

  /// Reads `http://HOST[:PORT][/PATH]`; without a port any free one is taken.
  ///
  /// - Parameter uri: The redirect URI as registered at the provider.
  /// - Throws: `RedirectTargetError` when the URI is not one that can be listened on.
  package init(uri: String) throws(RedirectTargetError) {
    let scheme = "http://"
    guard uri.utf8.starts(with: scheme.utf8) else { throw .notLoopback(uri) }
    let rest = uri.dropFirst(scheme.count)
    let authority = rest.prefix { $0 != "/" && $0 != "?" && $0 != "#" }
    let path = rest.dropFirst(authority.count)
    guard let host = Host.allCases.first(where: { authority.utf8.starts(with: $0.rawValue.utf8) })
    else { throw .notLoopback(uri) }
    guard path.utf8.allSatisfy(Self.isPathByte) else { throw .path(uri) }
    let port = authority.dropFirst(host.rawValue.count)
    switch port.first {
    case nil:
      self.init(host: host, port: 0, path: String(path))
    case ":":
      let digits = port.dropFirst()
      guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits),
        number != 0
      else { throw .port(uri) }
      self.init(host: host, port: number, path: String(path))
    default:
      throw .notLoopback(uri)
    }
  }

  private init(host: Host, port: UInt16, path: String) {
    self.host = host
    self.port = port
    self.path = path
  }

  /// Returns the redirect URI for the port that was bound, byte for byte as registered.
  package func uri(port bound: UInt16) -> String {
    "http://\(host.rawValue):\(bound)\(path)"
  }

  // RFC 3986 3.3 without escapes: those have more than one spelling, and the comparison is exact.
  private static func isPathByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default:
      "/-._~!$&'()*+,;=:@".utf8.contains(byte)
    }
  }
}

/// Why a configured redirect URI cannot be listened on.
package enum RedirectTargetError: Error, Equatable, Sendable {
  /// The URI is not http on a loopback host.
  case notLoopback(String)

  /// The port is not a number from 1 to 65535.
  case port(String)

  /// The URI has a scheme of the client's own and not the form that is taken.
  case privateUse(String)

  /// The path has a query, a fragment, an escape or a character that no path has.
  case path(String)
}

extension RedirectTargetError: CustomStringConvertible {
  /// One sentence with the mend.
  package var description: String {
    switch self {
    case .notLoopback(let uri):
      "redirect \(quoted(uri)) is not on this machine: use http://127.0.0.1:PORT/PATH,"
        + " http://[::1]:PORT/PATH or http://localhost:PORT/PATH"
    case .privateUse(let uri):
      "redirect \(quoted(uri)) is not a scheme of your own with a host and a path, in lower case:"
        + " write it like com.example.app://sign-in/callback"
    case .port(let uri):
      "redirect \(quoted(uri)) has no valid port: use a number from 1 to 65535,"
        + " or leave the port out for any free one"
    case .path(let uri):
      "redirect \(quoted(uri)) has a path that cannot be listened on:"
        + " use plain characters without a query, a fragment or % escapes"
    }
  }

  private func quoted(_ uri: String) -> String { PrintableText.quoted(uri, limit: 200) }
}
