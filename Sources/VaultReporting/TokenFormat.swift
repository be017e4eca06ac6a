package import FileSupport
package import SessionModel
import StrictJSON
package import VaultReader

/// How `token` writes an access token.
package enum TokenFormat: String, Sendable, CaseIterable {
  /// The token alone.
  case raw
  /// A header line of HTTP (RFC 6750 2.1).
  case header
  /// One JSON object.
  case json
  /// The initial response of SASL XOAUTH2 for IMAP and SMTP, base64-encoded.
  case xoauth2
  /// The header as a line of curl's configuration.
  case curl
  /// What kubectl's credential plugins answer.
  case execCredential = "exec-credential"

  /// The variables that say what a format has to be like.
  package static let variables = [ExecCredentialVersion.variable]

  /// Why a token cannot be written in a format.
  package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// The token holds a byte that may not stand in a header.
    case unfitToken
    /// The snapshot names no account.
    case noAccount(Namespace)
    /// The account's name holds a character that would end its place in the message.
    case unfitAccount(Namespace)
    /// kubectl wants an answer of another version.
    case unsupportedVersion(ExecCredentialVersion.Unsupported)

    /// One sentence with the mend.
    package var description: String {
      switch self {
      case .unfitToken:
        "the access token holds characters that may not stand in a header (RFC 6750);"
          + " use --format raw or json"
      case .noAccount(let namespace):
        "the snapshot of \(namespace) names no account, which xoauth2 needs;"
          + " set account in the host's configuration"
      case .unfitAccount(let namespace):
        "the name of the account of \(namespace) holds a control character, which xoauth2 cannot"
          + " carry; set account in the host's configuration"
      case .unsupportedVersion(let unsupported): unsupported.description
      }
    }
  }

  /// Writes a session's access token.
  ///
  /// - Parameters:
  ///   - usable: the session and its account.
  ///   - namespace: its namespace.
  ///   - environment: the values of `variables`.
  /// - Returns: the text without a line end.
  /// - Throws: `Failure`.
  package func text(
    _ usable: UsableSession, namespace: Namespace, environment: Environment = Environment([:])
  ) throws(Failure) -> String {
    let session = usable.record
    switch self {
    case .raw: return session.accessToken
    case .header: return try Self.header(session)
    case .curl: return "header = \(Self.quotedForCurl(try Self.header(session)))"
    case .execCredential:
      try Self.requireFit(session.accessToken)
      do throws(ExecCredentialVersion.Unsupported) {
        return try ExecCredentialVersion(environment: environment).answer(session)
      } catch {
        throw .unsupportedVersion(error)
      }
    case .json:
      let object: JSONObject = [
        "namespace": .string(namespace.name),
        "accessToken": .string(session.accessToken),
        "tokenType": .string(session.tokenType),
        "expiresAt": session.expiresAt.map { .integer($0.rawValue) } ?? .null,
        "scope": session.scope.map { .string($0) } ?? .null,
        "issuer": .string(session.issuer),
        "account": usable.accountName.map { .string($0) } ?? .null,
      ]
      return String(decoding: object.encoded(), as: UTF8.self)
    case .xoauth2:
      guard let account = usable.accountName else { throw .noAccount(namespace) }
      guard !account.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
        throw .unfitAccount(namespace)
      }
      try Self.requireFit(session.accessToken)
      let message = "user=\(account)\u{1}auth=Bearer \(session.accessToken)\u{1}\u{1}"
      return Self.base64(Array(message.utf8))
    }
  }

  private static func header(_ session: StoredSessionV1) throws(Failure) -> String {
    try requireFit(session.accessToken)
    try requireFit(session.tokenType)
    return "Authorization: \(scheme(session.tokenType)) \(session.accessToken)"
  }

  /// Refuses what is not one word of printable ASCII.
  ///
  /// A line feed in a token would let a provider write headers, or attributes, of its own.
  /// - Throws: `Failure.unfitToken`.
  static func requireFit(_ text: String) throws(Failure) {
    guard text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { throw .unfitToken }
  }

  // curl(1), --config: these two have a meaning between quotation marks, and what would need an
  // escape of letters is not fit for a header.
  private static func quotedForCurl(_ text: String) -> String {
    let escaped = text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }
    return "\"\(escaped.joined())\""
  }

  // Token types are case-insensitive (RFC 6749 5.1), but some servers know one spelling only.
  private static func scheme(_ tokenType: String) -> String {
    tokenType.lowercased() == "bearer" ? "Bearer" : tokenType
  }

  // RFC 4648, section 4: SASL wants the padded alphabet, which Base64URL is not.
  private static func base64(_ bytes: [UInt8]) -> String {
    let alphabet = Array(
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits = group.reduce(0 as UInt32) { $0 << 8 | UInt32($1) }
      bits <<= UInt32(3 - group.count) * 8
      for place in 0..<4 {
        let isPadding = place > group.count
        text.append(
          isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> UInt32(18 - 6 * place)) & 0x3F])
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
