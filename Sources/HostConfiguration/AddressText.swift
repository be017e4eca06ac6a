import SessionModel

/// What may be wrong with the text of a URL, told apart so that each gets its own mend.
///
/// The client that sends the requests parses a URL again; here a person is helped early.
struct AddressText {
  /// The scheme in lower case.
  let scheme: String
  /// The host, an IPv6 literal with its brackets.
  let host: String
  /// Whether there is a query.
  let hasQuery: Bool
  /// Whether there is a fragment.
  let hasFragment: Bool
  /// Whether a user name or a password stands before the host.
  let hasUser: Bool

  /// Takes a URL apart (RFC 3986 section 3).
  ///
  /// Nil for what is no absolute URL with a host in printable ASCII.
  ///
  /// - Parameter text: The URL.
  init?(_ text: String) {
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
      let separator = text.firstRange(of: "://")
    else { return nil }
    scheme = text[..<separator.lowerBound].lowercased()
    guard let first = scheme.utf8.first, (0x61...0x7A).contains(first) else { return nil }
    let rest = text[separator.upperBound...]
    var authority = rest.prefix { !"/?#".contains($0) }
    let tail = rest[authority.endIndex...]
    hasFragment = tail.contains("#")
    hasQuery = tail.prefix { $0 != "#" }.contains("?")
    if let at = authority.lastIndex(of: "@") {
      hasUser = true
      authority = authority[authority.index(after: at)...]
    } else {
      hasUser = false
    }
    if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
      host = String(authority[...end])
      authority = authority[authority.index(after: end)...]
    } else {
      host = String(authority.prefix { $0 != ":" })
      authority = authority.dropFirst(host.count)
    }
    guard !host.isEmpty else { return nil }
    guard !authority.isEmpty else { return }
    guard authority.hasPrefix(":"), let port = UInt16(authority.dropFirst()), port != 0 else {
      return nil
    }
  }

  /// What keeps a URL from being one that a credential may go to.
  ///
  /// - Parameter allowsQuery: Whether a query may stand in it; an issuer never has one.
  /// - Returns: What is wrong and what to do, as the end of a sentence; nil when nothing is.
  func problem(allowsQuery: Bool) -> String? {
    if hasUser { return "carries a user name or password; remove it" }
    if hasFragment || (hasQuery && !allowsQuery) {
      return "has a \(hasFragment ? "fragment" : "query"), which it never has; remove it"
    }
    if scheme == "https" { return nil }
    guard scheme == "http" else { return "is neither https nor http; use https" }
    if host == "localhost" {
      return
        "uses http on a name, which can be made to mean another machine; use 127.0.0.1 or https"
    }
    return LoopbackLiteral.contains(host)
      ? nil : "uses http, which is not encrypted; use https, or http on 127.0.0.1 or [::1]"
  }
}
