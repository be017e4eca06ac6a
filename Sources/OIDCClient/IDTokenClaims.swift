import JOSE
import StrictJSON

/// The claims of an ID token that the client looks at (OpenID Connect Core 2), by their kinds.
///
/// Having them says nothing about whether they hold: `VerifiedIDToken` does.
struct IDTokenClaims: Sendable {
  let issuer: String
  let subject: String
  let audiences: [String]
  let authorizedParty: String?
  let expiresAt: Int64
  let issuedAt: Int64
  let notBefore: Int64?
  let authenticatedAt: Int64?
  let nonce: String?
  let accessTokenHash: String?
  /// Every claim, for the account's name.
  let all: JSONObject

  /// Reads a payload.
  ///
  /// - Throws: `IDTokenError` for a missing claim or one of the wrong kind.
  init(payload: [UInt8]) throws(IDTokenError) {
    guard let all = try? JSONValue(parsing: payload).object else { throw .notJSON }
    self.all = all
    issuer = try Self.text("iss", all)
    subject = try Self.text("sub", all)
    guard subject.utf8.count <= 255 else { throw .malformed("sub") }
    audiences = try Self.audiences(all)
    authorizedParty = try Self.optionalText("azp", all)
    expiresAt = try Self.time("exp", all)
    issuedAt = try Self.time("iat", all)
    notBefore = try Self.optionalTime("nbf", all)
    authenticatedAt = try Self.optionalTime("auth_time", all)
    nonce = try Self.optionalText("nonce", all)
    accessTokenHash = try Self.optionalText("at_hash", all)
  }

  /// Reads a token that was verified before it was stored.
  init?(stored token: String) {
    guard let jws = try? CompactJWS(parsing: token),
      let claims = try? IDTokenClaims(payload: jws.unverifiedPayload)
    else { return nil }
    self = claims
  }

  private static func audiences(_ all: JSONObject) throws(IDTokenError) -> [String] {
    guard let value = all["aud"], !value.isNull else { throw .missing("aud") }
    if let one = value.string { return [one] }
    guard let array = value.array, !array.isEmpty else { throw .malformed("aud") }
    let texts = array.compactMap(\.string)
    guard texts.count == array.count else { throw .malformed("aud") }
    return texts
  }

  private static func text(_ name: String, _ all: JSONObject) throws(IDTokenError) -> String {
    guard let text = try optionalText(name, all) else { throw .missing(name) }
    guard !text.isEmpty else { throw .malformed(name) }
    return text
  }

  private static func optionalText(
    _ name: String, _ all: JSONObject
  ) throws(IDTokenError) -> String? {
    guard let value = all[name], !value.isNull else { return nil }
    guard let text = value.string else { throw .malformed(name) }
    return text
  }

  private static func time(_ name: String, _ all: JSONObject) throws(IDTokenError) -> Int64 {
    guard let time = try optionalTime(name, all) else { throw .missing(name) }
    return time
  }

  /// A `NumericDate` (RFC 7519 2): a number, with or without a fraction.
  private static func optionalTime(
    _ name: String, _ all: JSONObject
  ) throws(IDTokenError) -> Int64? {
    guard let value = all[name], !value.isNull else { return nil }
    // 2^53 seconds is beyond any date, and nothing that is added to it overflows.
    guard let number = value.number, number.magnitude < 9_007_199_254_740_992 else {
      throw .malformed(name)
    }
    return Int64(number.rounded(.down))
  }
}
