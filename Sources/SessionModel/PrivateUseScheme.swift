/// The rule for URI schemes of a client's own (RFC 8252 7.1): a domain name of somebody, reversed.
package enum PrivateUseScheme {
  /// Whether a text is such a scheme, in its one spelling.
  ///
  /// RFC 3986 3.1 wants a letter first. A dot is what tells the schemes of clients from all others,
  /// and what is between the dots is never empty, as in every domain name.
  /// - Parameter text: the scheme without its colon, in lower case.
  /// - Returns: whether it may be claimed.
  package static func isScheme(_ text: some StringProtocol) -> Bool {
    guard let first = text.utf8.first, (0x61...0x7A).contains(first) else { return false }
    let labels = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    return labels.count > 1
      && labels.allSatisfy { label in
        !label.isEmpty
          && label.allSatisfy { byte in
            (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte)
              || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
          }
      }
  }

  /// Whether a byte has one spelling alone behind such a scheme, so that a redirect can be compared.
  ///
  /// A desktop may change the case of letters, and what is escaped.
  package static func isPlain(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "/-._~".utf8.contains(byte)
  }
}
