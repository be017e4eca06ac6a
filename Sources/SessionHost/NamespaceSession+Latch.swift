import GrantModel
import SecretMemory
import SessionModel

// A refresh token that the provider has refused for good is never sent again: to a provider that
// watches for reuse it would look like a theft (RFC 9700 4.14.2). Of the token only a keyed
// fingerprint is left, by which it is known when an old record brings it back.
extension NamespaceSession {
  /// Whether a refresh token is the one that must not be used again.
  func isLatched(_ token: RefreshToken?) -> Bool {
    guard let token, let latched = record.latchedFingerprint,
      let mark = try? token.fingerprint(key: latchKey.bytes)
    else { return false }
    return constantTimeEqual(mark, latched)
  }

  /// Marks the refresh token in force as one that must not be used again.
  func latch(_ ended: inout CanonicalRecord) {
    guard let token = record.currentRefreshToken,
      let mark = try? token.fingerprint(key: latchKey.bytes)
    else { return }
    ended.latchedFingerprint = mark
  }

  /// Opens the latch for a token that the provider has handed over just now.
  func unlatch(_ renewed: inout CanonicalRecord, for token: RefreshToken?) {
    if isLatched(token) { renewed.latchedFingerprint = nil }
  }
}
