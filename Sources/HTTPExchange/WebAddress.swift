import CCurl
import SessionModel

/// A URL to which a credential may go: https, or http on a loopback literal, without user
/// information.
///
/// It is taken apart by the parser that later sends the request (`curl_url_set(3)`), so that what
/// was checked is what is contacted.
package struct WebAddress: Sendable {
  /// The URL as it was given.
  package let text: String
  /// Whether the scheme is https.
  package let isSecure: Bool
  /// The host: a name, an IPv4 literal, or an IPv6 literal in brackets; normalised by libcurl.
  package let host: String
  /// The port, the scheme's own if none is given.
  package let port: Int
  /// The path, `/` at least.
  package let path: String
  /// The query without `?`, nil if there is none.
  package let query: String?
  /// Whether there is a fragment.
  package let hasFragment: Bool

  /// Takes a URL apart and refuses one that no credential may go to.
  ///
  /// - Throws: `HTTPError` with the code `forbiddenURL`.
  package init(_ text: String) throws(HTTPError) {
    guard text.utf8.count <= 8192, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
      Self.hasAuthority(text),
      let parts = CurlURL(text)
    else { throw Self.refused("the URL", "it is not an absolute URL") }
    let scheme = parts.scheme
    self.text = text
    host = parts.host
    port = parts.port
    path = parts.path
    query = parts.query
    hasFragment = parts.hasFragment
    isSecure = scheme.utf8.elementsEqual("https".utf8)
    guard isSecure || scheme.utf8.elementsEqual("http".utf8) else {
      throw Self.refused("the URL", "its scheme is not http or https")
    }
    guard isSecure || LoopbackLiteral.contains(host) else {
      throw Self.refused(endpoint, "")
    }
  }

  /// Whether the host is an address literal of this machine.
  package var isLoopback: Bool { LoopbackLiteral.contains(host) }

  /// Scheme, host and port, as in RFC 6454.
  package var origin: String { "\(isSecure ? "https" : "http")://\(host):\(port)" }

  /// Origin and path: all of a URL that may stand in a log.
  package var endpoint: String { origin + path }

  /// libcurl forgives a third slash and takes what follows for the host; other parsers do not.
  private static func hasAuthority(_ text: String) -> Bool {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return false }
    let rest = text.utf8[text.utf8.index(after: colon)...]
    guard rest.starts(with: "//".utf8), let first = rest.dropFirst(2).first else { return false }
    return first != UInt8(ascii: "/") && !text.utf8.contains(UInt8(ascii: "\\"))
  }

  private static func refused(_ endpoint: String, _ reason: String) -> HTTPError {
    HTTPError(.forbiddenURL, requestWasSent: false, endpoint: endpoint, reason: reason)
  }
}

/// The parts of a URL as libcurl sees them.
private struct CurlURL {
  let scheme: String
  let host: String
  let port: Int
  let path: String
  let query: String?
  let hasFragment: Bool

  init?(_ text: String) {
    guard let handle = unsafe curl_url() else { return nil }
    defer { unsafe curl_url_cleanup(handle) }
    let flags = UInt32(CURLU_DISALLOW_USER)
    guard unsafe curl_url_set(handle, CURLUPART_URL, text, flags) == CURLUE_OK,
      let scheme = unsafe Self.part(handle, CURLUPART_SCHEME),
      let host = unsafe Self.part(handle, CURLUPART_HOST),
      let port = unsafe Self.part(handle, CURLUPART_PORT, UInt32(CURLU_DEFAULT_PORT)),
      let number = Int(port),
      let path = unsafe Self.part(handle, CURLUPART_PATH)
    else { return nil }
    self.scheme = scheme
    self.host = host
    self.port = number
    self.path = path
    query = unsafe Self.part(handle, CURLUPART_QUERY)
    hasFragment = unsafe Self.part(handle, CURLUPART_FRAGMENT) != nil
  }

  private static func part(
    _ handle: OpaquePointer, _ part: CURLUPart, _ flags: UInt32 = 0
  ) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard unsafe curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text = unsafe text
    else { return nil }
    defer { unsafe curl_free(text) }
    return unsafe String(cString: text)
  }
}
