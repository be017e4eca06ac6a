import GrantModel
import SessionHost
import SessionModel
import Synchronization
import TestSupport

/// A provider that always answers, with tokens of one lifetime, and keeps nothing but a count.
final class SteadySource: SessionSource {
  private let count = Mutex(0)
  private let clock: ManualClock
  private let lifetime: Duration

  init(clock: ManualClock, lifetime: Duration) {
    self.clock = clock
    self.lifetime = lifetime
  }

  /// How often it was asked for a renewal.
  var renewals: Int { count.withLock { $0 } }

  func signIn(
    _ request: SignInRequest, journal: some GrantJournal,
    prompt: @escaping @Sendable (SignInPrompt) async -> Void
  ) async -> GrantOutcome {
    await issue(0, over: nil, journal: journal)
  }

  func renew(_ grant: Grant, journal: some GrantJournal) async -> GrantOutcome {
    let number = count.withLock { count in
      count += 1
      return count
    }
    return await issue(number, over: grant, journal: journal)
  }

  func revoke(_ token: RevocableToken) async -> RevocationOutcome { .done }

  private func issue(
    _ number: Int, over grant: Grant?, journal: some GrantJournal
  ) async -> GrantOutcome {
    // As long as those of a real provider.
    let text = String(repeating: "a", count: 1200) + "\(number)"
    let issuedAt = UnixTime(rawValue: SessionFixture.start) + clock.now.offset
    do {
      let receipt = try await journal.record(
        ProvisionalGrant(refreshToken: try RefreshToken(text), accessToken: text))
      return .issued(
        IssuedGrant(receipt: receipt, previous: grant?.refreshToken) { [lifetime] refreshToken in
          Grant(
            issuer: "https://id.example", clientId: "desktop", subject: "alice",
            accountName: "alice@example.com", accessToken: text, tokenType: "Bearer",
            scope: "openid", issuedAt: issuedAt, expiresAt: issuedAt + lifetime,
            refreshToken: refreshToken, idToken: text)
        })
    } catch {
      return .terminal(.configuration("\(error)"))
    }
  }
}
