import SessionModel
import StrictJSON

extension StoredSessionV1 {
  /// Decodes a record from its JSON text.
  ///
  /// `version` is checked first. An optional member may be `null`, as the record's origin writes it
  /// after a revocation; an unknown member is refused, as the schema says.
  /// - Throws: `unsupportedRecordVersion`, `corrupt`.
  init(decoding text: RawSpan) throws(SnapshotError) {
    let value: JSONValue
    do {
      // Deeper than a record is, so that a later version's nesting is told from damage.
      value = try JSONValue(parsing: text, maximumDepth: 16, maximumLength: text.byteCount)
    } catch {
      throw .corrupt(.record)
    }
    guard let object = value.object, let version = object["version"]?.integer else {
      throw .corrupt(.record)
    }
    guard version == 1 else { throw .unsupportedRecordVersion(version) }
    try self.init(members: object.members)
  }

  private init(members: [JSONObject.Member]) throws(SnapshotError) {
    var issuer: String?
    var clientId: String?
    var accessToken: String?
    var tokenType: String?
    var refreshToken: String?
    var idToken: String?
    var scope: String?
    var expiresAt: UnixTime?
    for member in members {
      switch member.name {
      case "version": break
      case "issuer": issuer = member.value.string
      case "clientId": clientId = member.value.string
      case "accessToken": accessToken = try token(member.value)
      case "tokenType": tokenType = member.value.string
      case "refreshToken": refreshToken = try member.value.optional(token)
      case "idToken": idToken = try member.value.optional(token)
      case "scope": scope = try member.value.optional(text)
      case "expiresAt": expiresAt = try member.value.optional(time)
      default: throw .corrupt(.record)
      }
    }
    guard let issuer, let clientId, let accessToken, let tokenType, !issuer.isEmpty,
      !clientId.isEmpty, !accessToken.isEmpty, !tokenType.isEmpty
    else { throw .corrupt(.record) }
    self.init(
      issuer: issuer, clientId: clientId, accessToken: accessToken, tokenType: tokenType,
      refreshToken: refreshToken, idToken: idToken, scope: scope, expiresAt: expiresAt)
  }
}

extension JSONValue {
  fileprivate func optional<Value>(
    _ read: (JSONValue) throws(SnapshotError) -> Value
  ) throws(SnapshotError) -> Value? {
    isNull ? nil : try read(self)
  }
}

private func text(_ value: JSONValue) throws(SnapshotError) -> String {
  guard let text = value.string else { throw .corrupt(.record) }
  return text
}

private func token(_ value: JSONValue) throws(SnapshotError) -> String {
  let token = try text(value)
  guard token.utf8.count <= SnapshotLimits.tokenLength else { throw .corrupt(.record) }
  return token
}

private func time(_ value: JSONValue) throws(SnapshotError) -> UnixTime {
  guard let seconds = value.integer, seconds >= 0 else { throw .corrupt(.record) }
  return UnixTime(rawValue: seconds)
}
