package import SessionModel

extension GitCredentialRequest {
  /// The user name where nobody has named one; servers that take a token seldom look at it.
  package static let usualUsername = "oauth2"

  /// Whether a name fits the one that git asks for, where it asks for one.
  ///
  /// - Parameter name: the name that is answered; nil where any will do.
  /// - Returns: Whether the answer is one to what git asks.
  package func takes(username name: String?) -> Bool {
    guard let name, let username else { return true }
    return name.utf8.elementsEqual(username.utf8)
  }

  /// What git is answered, with a line end behind each attribute.
  ///
  /// A token is a password, which every git knows. Where git can send it as a bearer token and the
  /// server has asked for one, it is that.
  /// - Parameters:
  ///   - session: the session.
  ///   - name: the user name; nil for the one that git asks for, or the usual one.
  /// - Returns: The lines.
  /// - Throws: `TokenFormat.Failure` for a token that would not stay on its line.
  package func answer(
    _ session: StoredSessionV1, username name: String?
  ) throws(TokenFormat.Failure) -> String {
    try TokenFormat.requireFit(session.accessToken)
    var lines: [String]
    if understandsAuthtype && isBearerWanted && session.tokenType.lowercased() == "bearer" {
      // `ephemeral`: no other helper is to keep what ends so soon.
      lines = [
        "capability[]=authtype", "authtype=Bearer", "credential=\(session.accessToken)",
        "ephemeral=1",
      ]
    } else {
      lines = [
        "username=\(name ?? username ?? Self.usualUsername)", "password=\(session.accessToken)",
      ]
    }
    if let end = session.expiresAt { lines.append("password_expiry_utc=\(end.rawValue)") }
    return lines.map { $0 + "\n" }.joined()
  }
}
