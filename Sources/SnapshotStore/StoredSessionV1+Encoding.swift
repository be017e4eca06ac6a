import SessionModel
import StrictJSON

extension StoredSessionV1 {
  /// The record as JSON text, members in the order of the schema, absent ones left out.
  package var encoded: [UInt8] {
    var members: [(String, JSONValue)] = [
      ("version", .integer(1)), ("issuer", .string(issuer)), ("clientId", .string(clientId)),
      ("accessToken", .string(accessToken)), ("tokenType", .string(tokenType)),
    ]
    members += hostMembers
    if let scope { members.append(("scope", .string(scope))) }
    if let expiresAt { members.append(("expiresAt", .integer(expiresAt.rawValue))) }
    return JSONObject(members).encoded()
  }

  /// The refresh and ID token as JSON text, for the host box; nil when there is neither.
  var encodedHostTokens: [UInt8]? {
    hostMembers.isEmpty ? nil : JSONObject(hostMembers).encoded()
  }

  private var hostMembers: [(String, JSONValue)] {
    var members: [(String, JSONValue)] = []
    if let refreshToken { members.append(("refreshToken", .string(refreshToken))) }
    if let idToken { members.append(("idToken", .string(idToken))) }
    return members
  }
}
