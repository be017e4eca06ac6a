import GrantModel
import SecretMemory
import SecureStore
import SessionHost
import SessionModel
import Synchronization
import TestSupport

/// A real session that goes through what the reference goes through, one event after another.
final class ReferenceLife {
  let clock = ManualClock()
  let wallShift = Shared(Duration.zero)
  private(set) var source: AnsweringSource
  private(set) var process: Incarnation
  /// Each renewal that the provider was asked for, of all processes.
  private(set) var requests: [String] = []

  init() throws {
    source = AnsweringSource()
    process = try Incarnation(source: source, clock: clock, wallShift: wallShift, file: nil)
  }

  /// Goes on in another process with a certain file.
  func begin(with file: [UInt8]?) throws {
    requests += source.requests
    source = AnsweringSource()
    process = try Incarnation(source: source, clock: clock, wallShift: wallShift, file: file)
  }

  /// Lets something happen while the provider answers in a certain way.
  ///
  /// - Returns: the answers that it was not asked for.
  func happen(
    _ answers: ArraySlice<ReferenceSession.Answer>, isReachable: Bool,
    _ event: (NamespaceSession) async -> Void
  ) async throws -> ArraySlice<ReferenceSession.Answer> {
    source.begin(answers, isReachable: isReachable, in: process)
    await event(process.session)
    source.end()
    let left = source.answersLeft
    if source.isDead { try begin(with: source.file) }
    return left
  }
}

/// A provider that answers each request as it was told to, and can have the host killed meanwhile.
final class AnsweringSource: SessionSource {
  private struct State {
    var answers: ArraySlice<ReferenceSession.Answer> = []
    var signIn: ReferenceSession.SignIn?
    var isReachable = true
    var requests: [String] = []
    var isDead = false
    var file: [UInt8]?
    var process: Incarnation?
  }

  private let state = Mutex(State())

  var answersLeft: ArraySlice<ReferenceSession.Answer> { state.withLock { $0.answers } }
  var requests: [String] { state.withLock { $0.requests } }
  /// Whether the process was killed.
  var isDead: Bool { state.withLock { $0.isDead } }
  /// What it left behind then.
  var file: [UInt8]? { state.withLock { $0.file } }

  func begin(
    _ answers: ArraySlice<ReferenceSession.Answer>, isReachable: Bool, in process: Incarnation
  ) {
    state.withLock { state in
      (state.answers, state.isReachable, state.process) = (answers, isReachable, process)
    }
  }

  /// Lets go of the process, which holds this source.
  func end() {
    state.withLock { $0.process = nil }
  }

  /// Sets how the next sign-in ends.
  func expect(_ signIn: ReferenceSession.SignIn) {
    state.withLock { $0.signIn = signIn }
  }

  func signIn(
    _ request: SignInRequest, journal: some GrantJournal,
    prompt: @escaping @Sendable (SignInPrompt) async -> Void
  ) async -> GrantOutcome {
    switch state.withLock({ $0.signIn }) {
    case .signedIn(let token): return await issue(token, journal: journal)
    case .unverified(let token):
      _ = await issue(token, journal: journal)
      return .terminal(.verification("nonce"))
    case .killedAfterStoring(let token):
      _ = await issue(token, journal: journal)
      return kill()
    case .denied: return .terminal(.accessDenied)
    case .unreachable, nil: return .transient(.network("down"), retryAfter: nil)
    }
  }

  func renew(_ grant: Grant, journal: some GrantJournal) async -> GrantOutcome {
    let answer = state.withLock { state in
      state.requests.append(grant.refreshToken?.copiedText() ?? "none")
      return state.answers.popFirst()
    }
    switch answer {
    case .issued(let token): return await issue(token, over: grant, journal: journal)
    case .otherAccount(let token):
      return await issue(token, subject: "mallory", over: grant, journal: journal)
    case .unverified(let token):
      _ = await issue(token, over: grant, journal: journal)
      return .transient(.unverifiable("signature"), retryAfter: nil)
    case .gatewayTimeout: return .transient(.unavailable(status: 504), retryAfter: nil)
    case .refused: return .transient(.refusedWithoutReason(status: 400), retryAfter: nil)
    case .invalidGrant: return .terminal(.invalidGrant)
    case .lost: return .transient(.lostAnswer("time-out"), retryAfter: nil)
    case .tooMany: return .transient(.rateLimited, retryAfter: .seconds(20))
    case .conflict: return .conflict
    case .overtaken(let token):
      overtake(grant, by: token)
      return .conflict
    case .killed: return kill()
    case .killedAfterStoring(let token):
      _ = await issue(token, over: grant, journal: journal)
      return kill()
    case .unreachable, nil: return .transient(.network("down"), retryAfter: nil)
    }
  }

  func revoke(_ token: RevocableToken) async -> RevocationOutcome {
    state.withLock { $0.isReachable } ? .done : .transient(.network("down"), retryAfter: nil)
  }

  /// What is stored now is what the next process finds; this one goes on talking to nobody.
  private func kill() -> GrantOutcome {
    state.withLock { state in
      guard !state.isDead else { return }
      (state.isDead, state.isReachable) = (true, false)
      state.file = state.process?.durableFile
    }
    return .transient(.network("down"), retryAfter: nil)
  }

  private func overtake(_ grant: Grant, by token: Int) {
    guard let process = state.withLock({ $0.process }), var record = try? process.stored,
      let refreshToken = try? RefreshToken("\(token)")
    else { return }
    record.phase = .active(grant.replacingRefreshToken(with: refreshToken))
    record.rotatedToken = nil
    try? process.store.set(record.encoded(), .session, .primary)
  }

  private func issue(
    _ token: Int, subject: String = "alice", over grant: Grant? = nil, journal: some GrantJournal
  ) async -> GrantOutcome {
    guard let process = state.withLock({ $0.process }) else {
      return .transient(.network("nobody asked"), retryAfter: nil)
    }
    do {
      let receipt = try await journal.record(
        ProvisionalGrant(refreshToken: try RefreshToken("\(token)"), accessToken: "access-\(token)")
      )
      let issuedAt = process.now.wall
      return .issued(
        IssuedGrant(receipt: receipt, previous: grant?.refreshToken) { refreshToken in
          Grant(
            issuer: "https://id.example", clientId: "desktop", subject: subject, accountName: nil,
            accessToken: "access-\(token)", tokenType: "Bearer", scope: nil, issuedAt: issuedAt,
            expiresAt: issuedAt + .milliseconds(ReferenceSession.lifetime),
            refreshToken: refreshToken, idToken: nil)
        })
    } catch let error as JournalError {
      return .transient(.storage(error), retryAfter: nil)
    } catch {
      return .terminal(.configuration("no memory"))
    }
  }
}
