import SessionModel
import StrictJSON

extension StoredSessionV1 {
  /// Decodes a record from its JSON text.
  ///
  /// `version` is checked first. An optional member may be `null`, as the record's origin writes it
  /// after a revocation; an unknown member is refused, as the schema says.
  /// - Throws: `unsupportedRecordVersion`, `corrupt`.
  init(decoding text: RawSpan) throws(SnapshotError) {
    var plain = PlainRecordReader(text)
    if let members = plain.members() {
      try self.init(members)
    } else {
      try self.init(RecordMembers(parsing: text))
    }
  }

  private init(_ members: RecordMembers) throws(SnapshotError) {
    guard let issuer = members.issuer, let clientId = members.clientId,
      let accessToken = members.accessToken, let tokenType = members.tokenType,
      !issuer.isEmpty, !clientId.isEmpty, !accessToken.isEmpty, !tokenType.isEmpty,
      isToken(accessToken), isToken(members.refreshToken), isToken(members.idToken),
      members.expiresAt.map({ $0.rawValue >= 0 }) != false
    else { throw .corrupt(.record) }
    self.init(
      issuer: issuer, clientId: clientId, accessToken: accessToken, tokenType: tokenType,
      refreshToken: members.refreshToken, idToken: members.idToken, scope: members.scope,
      expiresAt: members.expiresAt)
  }
}

/// The members of a record as they stand in its text.
struct RecordMembers {
  var issuer: String?
  var clientId: String?
  var accessToken: String?
  var tokenType: String?
  var refreshToken: String?
  var idToken: String?
  var scope: String?
  var expiresAt: UnixTime?
}

extension RecordMembers {
  /// Parses a text that may be written in any way that JSON allows.
  ///
  /// - Throws: `unsupportedRecordVersion`, `corrupt`.
  fileprivate init(parsing text: RawSpan) throws(SnapshotError) {
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
    for member in object.members {
      switch member.name {
      case "version": break
      case "issuer": issuer = member.value.string
      case "clientId": clientId = member.value.string
      case "accessToken": accessToken = member.value.string
      case "tokenType": tokenType = member.value.string
      case "refreshToken": refreshToken = try member.value.optional(string)
      case "idToken": idToken = try member.value.optional(string)
      case "scope": scope = try member.value.optional(string)
      case "expiresAt": expiresAt = try member.value.optional(time)
      default: throw .corrupt(.record)
      }
    }
  }
}

extension JSONValue {
  fileprivate func optional<Value>(
    _ read: (JSONValue) throws(SnapshotError) -> Value
  ) throws(SnapshotError) -> Value? {
    isNull ? nil : try read(self)
  }
}

private func string(_ value: JSONValue) throws(SnapshotError) -> String {
  guard let text = value.string else { throw .corrupt(.record) }
  return text
}

private func isToken(_ text: String?) -> Bool {
  text.map { $0.utf8.count <= SnapshotLimits.tokenLength } != false
}

private func time(_ value: JSONValue) throws(SnapshotError) -> UnixTime {
  guard let seconds = value.integer else { throw .corrupt(.record) }
  return UnixTime(rawValue: seconds)
}
