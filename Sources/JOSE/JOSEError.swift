/// Why a token, a key set or a key was refused; no part of any of them is in the text.
package enum JOSEError: Error, Sendable, Equatable {
  /// A header parameter that would change how the token has to be read.
  package enum HeaderParameter: String, Sendable, CaseIterable {
    /// Extensions that must be understood, RFC 7515, 4.1.11.
    case crit
    /// An unencoded payload, RFC 7797.
    case b64
    /// A compressed payload, RFC 7516, 4.1.3.
    case zip
  }

  /// The token is longer than the limit, in bytes.
  case tokenTooLong(limit: Int)
  /// The token is not three parts of strict base64url.
  case malformedToken
  /// The header is not a JSON object with distinct names, a string `alg` and proper types.
  case malformedHeader
  /// The header holds a parameter that must not be ignored and is not supported.
  case unsupportedHeader(HeaderParameter)
  /// The token's algorithm is not among those that the caller allows.
  case algorithmRefused
  /// The token names a key that the set does not hold: worth fetching the set once more.
  case unknownKey
  /// No key that may be used fits the token's algorithm.
  case noFittingKey
  /// The set holds different keys under the identifier that the token names.
  case ambiguousKey
  /// The signature does not belong to the token and any of the keys tried.
  case signatureInvalid
  /// The key set is not a JSON object with an array `keys`.
  case malformedKeySet
  /// The key set holds more keys than the limit.
  case tooManyKeys(limit: Int)
  /// A signing key is not a usable private JSON Web Key.
  case signingKeyRefused
  /// libjose could not make a key.
  case keyGenerationFailed
  /// libjose could not sign with the key and header given.
  case signingFailed
}

extension JOSEError: CustomStringConvertible {
  /// One sentence without any part of a token; safe to log.
  package var description: String {
    switch self {
    case .tokenTooLong(let limit): "the token is longer than \(limit) bytes"
    case .malformedToken: "the token is not a compact JWS of three base64url parts"
    case .malformedHeader: "the token's header is not a JSON object with distinct names and an alg"
    case .unsupportedHeader(let parameter):
      "the token's header holds \(parameter.rawValue), which is not supported"
    case .algorithmRefused:
      "the token is signed with an algorithm that is not allowed; choose another at the provider"
    case .unknownKey:
      "the token names a key that the key set does not hold; fetch the key set again"
    case .noFittingKey: "no usable key of the key set fits the token's algorithm"
    case .ambiguousKey: "the key set holds different keys under the token's key identifier"
    case .signatureInvalid: "the token's signature is not valid"
    case .malformedKeySet: "the key set is not a JSON object with an array of keys"
    case .tooManyKeys(let limit): "the key set holds more than \(limit) keys"
    case .signingKeyRefused: "the signing key is not a usable private JSON Web Key"
    case .keyGenerationFailed: "no signing key could be made"
    case .signingFailed: "the payload could not be signed with this key and header"
    }
  }
}
