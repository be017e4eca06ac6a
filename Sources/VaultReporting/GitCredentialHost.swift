import SessionModel

/// A host that git may get a token for.
package struct GitCredentialHost: Sendable, Hashable {
  /// The name in lower case, or an address; an IPv6 one in brackets.
  let name: String
  /// The port; nil for the protocol's own.
  let port: UInt16?

  /// Reads `HOST[:PORT]`; nil for anything else, such as a URL.
  ///
  /// - Parameter text: the host as git names it.
  package init?(_ text: String) {
    let isAddress = text.hasPrefix("[")
    let end =
      isAddress
      ? text.firstIndex(of: "]").map(text.index(after:)) : text.firstIndex(of: ":")
    if isAddress && end == nil { return nil }
    let name = text[..<(end ?? text.endIndex)]
    let isName = name.utf8.allSatisfy(isAddress ? Self.isOfAddress : Self.isOfName)
    guard !name.isEmpty, isName else { return nil }
    self.name = name.lowercased()
    let rest = text.dropFirst(name.count)
    guard !rest.isEmpty else {
      port = nil
      return
    }
    let digits = rest.dropFirst()
    guard rest.hasPrefix(":"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let port = UInt16(digits), port != 0
    else { return nil }
    self.port = port
  }

  /// Whether it is the host of a request whose answer may go there.
  ///
  /// That is one by https, or by http to an address literal of this machine itself.
  package func isHost(of request: GitCredentialRequest) -> Bool {
    guard let other = request.host.flatMap(Self.init), name == other.name else { return false }
    let usual: UInt16
    switch request.scheme {
    case "https": usual = 443
    case "http" where LoopbackLiteral.contains(name): usual = 80
    default: return false
    }
    return port ?? usual == other.port ?? usual
  }

  private static func isOfName(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "_"):
      true
    default: false
    }
  }

  private static func isOfAddress(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x46, 0x61...0x66, UInt8(ascii: ":"), UInt8(ascii: "."),
      UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
