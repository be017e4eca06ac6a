/// The address literals of this machine itself, to which a secret may go unencrypted.
package enum LoopbackLiteral {
  /// Whether a host is 127.0.0.0/8 with four decimal parts, or `[::1]`.
  ///
  /// `localhost` is a name, and a name can be made to mean another machine.
  /// - Parameter host: the host of a URL without its port; an IPv6 literal in brackets.
  /// - Returns: Whether nothing that is sent there leaves this machine.
  package static func contains(_ host: some StringProtocol) -> Bool {
    if host.utf8.elementsEqual("[::1]".utf8) { return true }
    let parts = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return false }
    for part in parts {
      guard (1...3).contains(part.count), part.allSatisfy({ (0x30...0x39).contains($0) }),
        part.reduce(0, { $0 * 10 + Int($1 - 0x30) }) <= 255
      else { return false }
    }
    return parts[0].elementsEqual("127".utf8)
  }
}
