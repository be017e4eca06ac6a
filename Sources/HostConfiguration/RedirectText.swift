import SessionModel

/// What a person is told of a redirect URI that no sign-in can wait for (RFC 8252 7).
enum RedirectText {
  /// What keeps a sign-in from waiting for a URI.
  ///
  /// - Parameter text: The URI.
  /// - Returns: What is wrong and what to do, as the end of a sentence; nil when nothing is.
  static func problem(_ text: String) -> String? {
    (try? RedirectURI(text)) == nil ? advice(text) : nil
  }

  private static func advice(_ text: String) -> String {
    let form = "write it like http://127.0.0.1:8400/callback"
    let ownForm = "write it like com.example.app://sign-in/callback"
    guard let address = AddressText(text) else {
      return text.contains("://") || !text.contains(":")
        ? "is not a URL; " + form : "is a scheme without a host and a path; " + ownForm
    }
    guard address.scheme == "http" else {
      return address.scheme == "https"
        ? "uses https, for which this machine has no certificate; " + form
        : ownAdvice(text, address) + ownForm
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
    return "is not spelled as it is listened on, in plain characters; " + form
  }

  /// What is wrong with a redirect URI that has a scheme of the client's own (RFC 8252 7.1).
  private static func ownAdvice(_ text: String, _ address: AddressText) -> String {
    guard text.hasPrefix(address.scheme), PrivateUseScheme.isScheme(address.scheme) else {
      return "has a scheme that anybody may use: take a domain name of yours, reversed and in lower"
        + " case; "
    }
    let rest = text.dropFirst(address.scheme.count + 3)
    guard rest.utf8.allSatisfy(PrivateUseScheme.isPlain) else {
      return "has more than small letters, digits and /-._~ behind its scheme, which a desktop may"
        + " change; "
    }
    return "has no path; "
  }
}
