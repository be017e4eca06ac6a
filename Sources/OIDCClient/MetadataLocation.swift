import HTTPExchange

/// Where an issuer's metadata is.
enum MetadataLocation {
  /// The place of OpenID Connect Discovery 4: the well-known path behind the issuer, which loses a
  /// final slash.
  ///
  /// - Throws: `ExchangeFailure.configuration`.
  static func openID(issuer: String) throws(ExchangeFailure) -> WebAddress {
    try address(withoutFinalSlash(issuer) + "/.well-known/openid-configuration", of: issuer)
  }

  /// The place of RFC 8414 3.1: the well-known path between the issuer's host and its path.
  ///
  /// - Throws: `ExchangeFailure.configuration`.
  static func authorizationServer(issuer: String) throws(ExchangeFailure) -> WebAddress {
    let base = Array(withoutFinalSlash(issuer).utf8)
    let slash = UInt8(ascii: "/")
    // The third slash begins the path.
    let slashes = base.indices.filter { base[$0] == slash }
    let split = slashes.count > 2 ? slashes[2] : base.count
    return try address(
      String(decoding: base[..<split], as: UTF8.self) + "/.well-known/oauth-authorization-server"
        + String(decoding: base[split...], as: UTF8.self), of: issuer)
  }

  private static func withoutFinalSlash(_ issuer: String) -> String {
    issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.dropLast()) : issuer
  }

  private static func address(
    _ text: String, of issuer: String
  ) throws(ExchangeFailure) -> WebAddress {
    // A query or a fragment would swallow the path that is added (OpenID Connect Discovery 3).
    guard !issuer.utf8.contains(UInt8(ascii: "?")), !issuer.utf8.contains(UInt8(ascii: "#")) else {
      throw .configuration("the issuer has a query or a fragment; leave it out")
    }
    do throws(HTTPError) {
      return try WebAddress(text)
    } catch {
      throw .configuration("the issuer cannot be asked: \(error)")
    }
  }
}
