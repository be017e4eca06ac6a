/// What a Glewlwyd has issued and refused, by its own log.
package struct GlewlwydCounts: Sendable, Equatable {
  /// Sign-ins that ended with tokens, by code or by device.
  package let signIns: Int
  /// Renewals that it granted.
  package let renewals: Int
  /// Refresh tokens that it gave out; with rotation one for each sign-in and each renewal.
  package let refreshTokens: Int
  /// Tokens that it refused, of any client: replayed, revoked, expired or unknown ones.
  package let refusals: Int

  /// Creates counts that a test expects.
  package init(signIns: Int, renewals: Int, refreshTokens: Int, refusals: Int) {
    self.signIns = signIns
    self.renewals = renewals
    self.refreshTokens = refreshTokens
    self.refusals = refusals
  }

  init(log: String, client: String) {
    func count(_ text: String) -> Int {
      log.split(separator: "\n").count { $0.contains(text) }
    }
    let accessTokens = count("Access token generated for client '\(client)'")
    // Glewlwyd makes an ID token at a sign-in and none at a renewal.
    signIns = count("id_token generated for client '\(client)'")
    renewals = accessTokens - signIns
    refreshTokens = count("Refresh token generated for client '\(client)'")
    refusals = count("Security - Token invalid")
  }
}
