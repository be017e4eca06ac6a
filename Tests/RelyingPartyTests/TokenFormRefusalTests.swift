import DevelopmentProvider
import HostControl
import JOSE
import StrictJSON
import Testing

/// ID tokens and keys that are not written as the specifications say, handed to a whole host.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct TokenFormRefusalTests {
  private static let malformed = "the token is not a compact JWS of three base64url parts"

  private func refuse(
    _ check: String, _ mutations: [TokenMutation], _ revokes: Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let host = try await HostFixture(revokes: revokes)
    host.provider.overrides.idToken = mutations
    try await host.expectRefusal(
      "the provider's answer failed a check: ID token: \(check)",
      requests: IDTokenRefusalTests.requests, sourceLocation: sourceLocation)
  }

  @Test(arguments: [true, false])
  func rp13AnExponentBeyondNumbersIsRefused(revokes: Bool) async throws {
    try await refuse(
      "the claims are not a JSON object", [.removeClaim("exp"), .addRawClaim("exp", "1e400")],
      revokes)
  }

  @Test(arguments: ["sub", "exp", "nonce", "aud"], [true, false])
  func jw10AClaimThatStandsTwiceIsRefused(name: String, revokes: Bool) async throws {
    // The one that stands first is right, and so would be the one that stands last.
    let text = name == "exp" ? "\(HostFixture.start + 300)" : "\"desktop\""
    try await refuse("the claims are not a JSON object", [.addRawClaim(name, text)], revokes)
  }

  @Test(arguments: [("alg", "\"RS256\""), ("typ", "\"JWT\""), ("kid", "\"x\"")], [true, false])
  func jw10AHeaderParameterThatStandsTwiceIsRefused(
    parameter: (name: String, text: String), revokes: Bool
  ) async throws {
    try await refuse(
      "the token's header is not a JSON object with distinct names and an alg",
      [.addRawHeader(parameter.name, parameter.text)], revokes)
  }

  /// Another spelling of a token; a name, because a failing test prints its arguments.
  enum Spelling: CaseIterable, Sendable {
    case padded, standardAlphabet, space, trailingBits, fourParts, twoParts

    func change(_ token: String) -> String {
      let parts = token.split(separator: ".", omittingEmptySubsequences: false)
      switch self {
      case .padded: return "\(parts[0]).\(parts[1])=.\(parts[2])"
      case .standardAlphabet: return "\(parts[0])+/.\(parts[1]).\(parts[2])"
      case .space: return token + " "
      case .trailingBits:
        // 256 bytes are 342 characters, the last of which carries two bits: Q and R are the same.
        guard let last = parts[2].last, let value = Self.alphabet.firstIndex(of: last) else {
          return token
        }
        return String(token.dropLast()) + String(Self.alphabet[value + 1])
      case .fourParts: return token + ".AA"
      case .twoParts: return "\(parts[0]).\(parts[1])"
      }
    }

    private static let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
  }

  @Test(arguments: Spelling.allCases, [true, false])
  func jw11AnotherSpellingIsRefused(spelling: Spelling, revokes: Bool) async throws {
    try await refuse(Self.malformed, [.rewrite(spelling.change)], revokes)
  }

  @Test(arguments: ["\n", String(repeating: "A", count: 900_000)], [true, false])
  func jw11WhatIsNoTokenIsNotEvenVerified(ending: String, revokes: Bool) async throws {
    // A line end, or a token far beyond the limit in an answer that is within its own.
    let host = try await HostFixture(revokes: revokes)
    host.provider.overrides.idToken = [.rewrite { $0 + ending }]
    try await host.expectRefusal(
      "the provider's answer failed a check: id_token is not a token",
      requests: [.discovery, .authorize, .token])
  }

  /// A key that must not be used; a name, because a failing test prints its arguments.
  enum WeakKey: CaseIterable, Sendable {
    case exponentOne, exponentThree, evenModulus, shortModulus, longModulus

    /// Members beside the type and the identifier.
    var members: String {
      switch self {
      case .exponentOne: Self.members(bits: 2048, last: 0xFF, exponent: "AQ")
      case .exponentThree: Self.members(bits: 2048, last: 0xFF, exponent: "Aw")
      case .evenModulus: Self.members(bits: 2048, last: 0xFE, exponent: "AQAB")
      case .shortModulus: Self.members(bits: 512, last: 0xFF, exponent: "AQAB")
      case .longModulus: Self.members(bits: 16_384, last: 0xFF, exponent: "AQAB")
      }
    }

    private static func members(bits: Int, last: UInt8, exponent: String) -> String {
      let modulus = [UInt8](repeating: 0xC5, count: bits / 8 - 1) + [last]
      return "\"n\":\"\(Base64URL.encode(modulus))\",\"e\":\"\(exponent)\""
    }
  }

  @Test(arguments: WeakKey.allCases, [true, false])
  func jw13AKeyThatMustNotBeUsedIsNot(key: WeakKey, revokes: Bool) async throws {
    let host = try await HostFixture(revokes: revokes)
    let identifier = try TestKeys.shared.get().rsa.keyID
    host.provider.overrides.keySet = Array(
      "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"\(identifier)\",\(key.members)}]}".utf8)
    try await host.expectRefusal(
      "the provider's answer failed a check: ID token:"
        + " the token names a key that the key set does not hold; fetch the key set again",
      requests: IDTokenRefusalTests.requests)
  }
}
