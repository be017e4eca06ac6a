/// A client that is registered at the provider.
package struct ProviderClient: Sendable {
  /// The client identifier.
  package var identifier: String

  /// The secret of a confidential client, nil for a public one.
  package var secret: String?

  /// The registered redirect URIs.
  package var redirectURIs: [String]

  /// Makes a client.
  package init(identifier: String, secret: String? = nil, redirectURIs: [String]) {
    self.identifier = identifier
    self.secret = secret
    self.redirectURIs = redirectURIs
  }

  /// The public client of a provider that is told of no other.
  package static let desktop = ProviderClient(
    identifier: "desktop",
    redirectURIs: ["http://127.0.0.1/callback", "http://[::1]/callback"])

  /// Returns whether a redirect URI is registered: byte for byte, but for the port of a loopback
  /// literal, which is the client's choice (RFC 8252 7.3).
  func allows(redirectURI: String) -> Bool {
    redirectURIs.contains { registered in
      if registered.utf8.elementsEqual(redirectURI.utf8) { return true }
      guard let left = Self.withoutPort(registered), let right = Self.withoutPort(redirectURI)
      else { return false }
      return left.utf8.elementsEqual(right.utf8)
    }
  }

  private static func withoutPort(_ uri: String) -> String? {
    for origin in ["http://127.0.0.1", "http://[::1]"] {
      guard uri.utf8.starts(with: origin.utf8) else { continue }
      let rest = uri.dropFirst(origin.count)
      guard rest.first == ":" else { return rest.first == "/" || rest.isEmpty ? uri : nil }
      let port = rest.dropFirst().prefix { $0 != "/" }
      guard port.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(port),
        number != 0
      else { return nil }
      return origin + rest.dropFirst(1 + port.count)
    }
    return nil
  }
}
