/// The check of a redirect URI: http on this machine, where the host can listen (RFC 8252 7.3).
enum RedirectText {
  /// What keeps the host from listening on a URI.
  ///
  /// - Parameter text: The URI.
  /// - Returns: What is wrong and what to do, as the end of a sentence; nil when nothing is.
  static func problem(_ text: String) -> String? {
    let form = "write it like http://127.0.0.1:8400/callback"
    guard let address = AddressText(text) else {
      return text.contains("://") || !text.contains(":")
        ? "is not a URL; " + form : "uses a scheme of its own, which is not supported; " + form
    }
    guard address.scheme == "http" else {
      return address.scheme == "https"
        ? "uses https, for which this machine has no certificate; " + form
        : "uses a scheme of its own, which is not supported; " + form
    }
    if address.hasUser { return "carries a user name or password; remove it" }
    guard ["127.0.0.1", "[::1]", "localhost"].contains(address.host) else {
      return "is not on this machine; use 127.0.0.1, [::1] or localhost"
    }
    if address.hasQuery || address.hasFragment {
      return "has a query or a fragment, which cannot be compared; remove it"
    }
    if text.utf8.contains(UInt8(ascii: "%")) {
      return "has a % escape, which has more than one spelling; use plain characters"
    }
    return nil
  }
}
