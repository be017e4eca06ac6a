/// How often what matters to a test has happened.
package struct ProviderCounts: Sendable, Equatable {
  /// Refresh requests that issued tokens.
  package var refreshes = 0

  /// Refresh tokens that were replaced.
  package var rotations = 0

  /// Uses of a replaced refresh token, beyond the grace.
  package var reuses = 0

  /// Grants revoked by the revocation endpoint.
  package var revocations = 0

  /// Grants made: codes and device codes redeemed.
  package var grants = 0

  /// Sessions in the browser that were ended.
  package var endedSessions = 0

  /// Makes counts of nothing.
  package init() {}
}
