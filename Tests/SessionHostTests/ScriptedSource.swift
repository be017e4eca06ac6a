import GrantModel
import SecretMemory
import SessionModel
import Synchronization
import TestSupport

/// A source that answers as the test says, one scripted step after another, and keeps count.
final class ScriptedSource: SessionSource {
  typealias Step = @Sendable (Grant?, any JournalBox) async -> GrantOutcome

  let renewals = EventRecorder<String>()
  let signIns = EventRecorder<String>()
  let revocations = EventRecorder<String>()
  private let steps = Mutex<[Step]>([])
  private let revocationSteps = Mutex<[RevocationOutcome]>([])
  private let revocationGate = Mutex<Gate?>(nil)
  private let providerReach = Mutex<(answer: ProviderReach?, looks: Int)>((nil, 0))

  /// Adds what the next sign-in or renewal does.
  func then(_ step: @escaping Step) {
    steps.withLock { $0.append(step) }
  }

  /// Adds how the next revocation ends; without one it is done.
  func thenRevocation(_ outcome: RevocationOutcome) {
    revocationSteps.withLock { $0.append(outcome) }
  }

  /// Adds a grant whose refresh token is rotated to the one that is named.
  func thenIssue(
    _ access: String, rotatingTo refresh: String?, subject: String = "alice",
    expiresAt: Int64 = 1_000_060
  ) {
    then { grant, journal in
      await issue(
        access, refresh: refresh, subject: subject, expiresAt: expiresAt, previous: grant,
        journal: journal)
    }
  }

  /// Adds a grant of the moment zero with a lifetime, zero or less included.
  func thenIssueOnce(lifetime: Int64) {
    then { grant, journal in
      await issue(
        "access", refresh: "refresh", expiresAt: SessionFixture.start + lifetime,
        issuedAt: SessionFixture.start, previous: grant, journal: journal)
    }
  }

  /// Says what comes of looking for the provider.
  func thenReach(_ answer: ProviderReach) {
    providerReach.withLock { $0.answer = answer }
  }

  /// How often the provider was looked for.
  var looks: Int { providerReach.withLock(\.looks) }

  func reach() async -> ProviderReach? {
    providerReach.withLock { state in
      state.looks += 1
      return state.answer
    }
  }

  /// Makes revocations wait until a gate is open.
  func revocationsWait(for gate: Gate) {
    revocationGate.withLock { $0 = gate }
  }

  func signIn(
    _ request: SignInRequest, journal: some GrantJournal,
    prompt: @escaping @Sendable (SignInPrompt) async -> Void
  ) async -> GrantOutcome {
    signIns.record(request.flow?.rawValue ?? "configured")
    await prompt(.authorize(url: "https://id.example/authorize"))
    return await next()(nil, Box(journal))
  }

  func renew(_ grant: Grant, journal: some GrantJournal) async -> GrantOutcome {
    renewals.record(grant.refreshToken?.copiedText() ?? "")
    return await next()(grant, Box(journal))
  }

  func revoke(_ token: RevocableToken) async -> RevocationOutcome {
    revocations.record(token.copiedText())
    await revocationGate.withLock({ $0 })?.waitUncancelled()
    return revocationSteps.withLock { $0.isEmpty ? .done : $0.removeFirst() }
  }

  private func next() -> Step {
    let unscripted: Step = { _, _ in .transient(.network("nothing scripted"), retryAfter: nil) }
    return steps.withLock { $0.isEmpty ? unscripted : $0.removeFirst() }
  }
}

/// A journal without its generic type, so that scripts can hold it.
protocol JournalBox: Sendable {
  func announceExchange() async throws(JournalError)
  func record(
    _ token: RefreshToken?, accessToken: String?
  ) async throws(JournalError) -> StoredReceipt
  /// What became of an outcome's grant; nil when it has none.
  func adopt(_ outcome: GrantOutcome) async -> GrantAdoption?
}

extension JournalBox {
  func record(_ token: RefreshToken?) async throws(JournalError) -> StoredReceipt {
    try await record(token, accessToken: nil)
  }
}

private struct Box<Journal: GrantJournal>: JournalBox {
  let journal: Journal

  init(_ journal: Journal) {
    self.journal = journal
  }

  func announceExchange() async throws(JournalError) { try await journal.announceExchange() }

  func record(
    _ token: RefreshToken?, accessToken: String?
  ) async throws(JournalError) -> StoredReceipt {
    try await journal.record(ProvisionalGrant(refreshToken: token, accessToken: accessToken))
  }

  func adopt(_ outcome: GrantOutcome) async -> GrantAdoption? {
    guard case .issued(let issued) = outcome else { return nil }
    return await journal.adopt(issued)
  }
}

/// Issues a grant as a provider does: durable first, then believed.
func issue(
  _ access: String, refresh: String?, subject: String = "alice", expiresAt: Int64 = 1_000_060,
  issuedAt: Int64? = nil, renewableUntil: Int64? = nil, previous: Grant?,
  journal: any JournalBox
) async -> GrantOutcome {
  do {
    let receipt = try await journal.record(
      try refresh.map { try RefreshToken($0) }, accessToken: access)
    return .issued(
      IssuedGrant(receipt: receipt, previous: previous?.refreshToken) { token in
        Grant(
          issuer: "https://id.example", clientId: "desktop", subject: subject,
          accountName: "\(subject)@example.com", accessToken: access, tokenType: "Bearer",
          scope: "openid", issuedAt: UnixTime(rawValue: issuedAt ?? expiresAt - 60),
          expiresAt: UnixTime(rawValue: expiresAt), refreshToken: token, idToken: nil,
          renewableUntil: renewableUntil.map { UnixTime(rawValue: $0) })
      })
  } catch let error as JournalError {
    return .transient(.storage(error), retryAfter: nil)
  } catch {
    return .terminal(.configuration("no memory"))
  }
}
