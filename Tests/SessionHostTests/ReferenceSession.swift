/// What a session has to be after each event, by the rules alone.
///
/// It was written from the rules and shares nothing with the host: it has no clock, no task, no disk,
/// and names tokens by numbers. Times are milliseconds.
struct ReferenceSession: Equatable {
  enum Phase: Equatable {
    case absent, active, signedOut
    case over(String)
  }

  /// What the provider does with one request for a renewal.
  enum Answer {
    case issued(Int)
    case otherAccount(Int)
    /// A new token came, and the rest of the answer failed a check.
    case unverified(Int)
    case unreachable, gatewayTimeout, refused, invalidGrant, lost, tooMany, conflict
    /// Somebody else had renewed, and stored this token.
    case overtaken(Int)
    /// The host is killed before the answer comes.
    case killed
    /// The host is killed once the new token is stored.
    case killedAfterStoring(Int)
  }

  /// How a person's sign-in ends.
  enum SignIn {
    case signedIn(Int)
    case denied, unreachable
    case unverified(Int)
    case killedAfterStoring(Int)
  }

  static let lifetime = 600_000
  private static let week = 7 * 86_400_000

  var boot = 0
  var wall = 0
  var phase = Phase.absent
  /// The refresh token in force, and the one that came with the published access token.
  var token = 0
  var published = 0
  /// Whether the token in force came in an answer that was never accepted.
  var isUnaccepted = false
  /// Whether the provider may have rotated the token in force without the host's knowing.
  var isOpen = false
  var refusals = 0
  var isLatched = false
  var pending: [Int: Int] = [:]
  var host = "ok"
  /// Each renewal that the provider was asked for: the token that was sent.
  var requests: [Int] = []

  private var issuedAt = 0
  private var obtainedAt = 0
  private var obtainedWall = 0
  private var isOwn = false
  private var retryAt: Int?
  private var failures = 0
  private var attemptedAt = 0

  /// Whether only a person can help, though nothing is erased.
  var isRefused: Bool { phase == .active && refusals >= 4 }

  /// The word for the session.
  var word: String {
    switch phase {
    case .absent: return "absent"
    case .signedOut: return "signed-out"
    case .over: return "reauthentication-required"
    case .active: break
    }
    if isRefused { return "reauthentication-required" }
    let left = min(issuedAt - wall, issuedAt - obtainedWall - (boot - obtainedAt)) + Self.lifetime
    return left <= 0 ? "expired" : left < 30_000 ? "expiring" : "valid"
  }

  mutating func pass(_ milliseconds: Int) {
    boot += milliseconds
    wall += milliseconds
  }

  mutating func signIn(_ end: SignIn) {
    switch end {
    case .denied, .unreachable: break
    case .unverified(let new), .killedAfterStoring(let new): revokeLater(new)
    case .signedIn(let new):
      if phase == .active { revokeLater(token) }
      phase = .active
      accept(new)
    }
    if case .killedAfterStoring = end { beginAnew() }
  }

  mutating func signOut() {
    if phase == .active { revokeLater(token) }
    end(.signedOut)
  }

  /// A process ends, and another begins with what is stored.
  mutating func beginAnew() {
    host = "ok"
    retryAt = nil
    failures = 0
    attemptedAt = 0
    isOwn = false
  }

  /// The provider is told what it is to forget, if it can be reached.
  mutating func settle(isReachable: Bool) {
    pending = isReachable ? [:] : pending.filter { $0.value > wall }
  }

  /// Whether a renewal is due.
  var isDue: Bool {
    guard phase == .active, refusals < 4 else { return false }
    if let retryAt { return boot >= retryAt }
    if isUnaccepted || isOpen { return true }
    let age = Self.lifetime - 60_000
    let passed = boot - obtainedAt
    let byWall = age - max(wall - issuedAt, 0)
    let byBoot = age - max(obtainedWall - issuedAt, 0) - passed
    let due = min(byWall, byBoot)
    return (isOwn ? max(due, 30_000 - passed) : due) <= 0
  }

  private mutating func revokeLater(_ token: Int) {
    if pending[token] == nil { pending[token] = wall + Self.week }
  }

  private mutating func accept(_ new: Int) {
    (token, published) = (new, new)
    (isUnaccepted, isOpen, isOwn) = (false, false, true)
    refusals = 0
    (retryAt, failures, host) = (nil, 0, "ok")
    issuedAt = wall / 1000 * 1000
    (obtainedAt, obtainedWall) = (boot, wall)
  }

  private mutating func end(_ phase: Phase) {
    self.phase = phase
    (isUnaccepted, isOpen, refusals) = (false, false, 0)
    (retryAt, failures, host) = (nil, 0, "ok")
  }

  private mutating func fail(_ host: String, wait: Int, isFirm: Bool = false) {
    // A try that somebody asked for before the planned one leaves the plan as it is.
    let isHurried = retryAt.map { attemptedAt < $0 } ?? false
    if !isHurried || isFirm {
      failures += 1
      retryAt = boot + wait
    }
    self.host = isRefused ? "ok" : host
  }
}

extension ReferenceSession {
  /// Renews, whoever wants it, with what the provider answers to one request after another.
  mutating func renew(_ answers: inout ArraySlice<Answer>) {
    guard phase == .active else { return }
    var hasReloaded = false
    var isRetry = isOpen
    while true {
      attemptedAt = boot
      requests.append(token)
      isOpen = isRetry
      switch answers.removeFirst() {
      case .issued(let new): return accept(new)
      case .otherAccount(let new):
        revokeLater(new)
        return end(.over("account"))
      case .unverified(let new):
        (token, isUnaccepted, isOpen) = (new, true, false)
        return fail("waiting", wait: 300_000, isFirm: true)
      case .unreachable: return fail("offline", wait: 200)
      case .gatewayTimeout:
        isOpen = true
        return fail("offline", wait: 200)
      case .refused:
        refusals += 1
        return fail("waiting", wait: min(5_000 << min(failures, 5), 150_000))
      case .tooMany: return fail("waiting", wait: 20_000, isFirm: true)
      case .lost where !isRetry: isRetry = true
      case .lost: return fail("offline", wait: 200)
      case .overtaken(let new) where !hasReloaded:
        (token, isUnaccepted) = (new, false)
        (hasReloaded, isRetry) = (true, false)
      case .conflict, .overtaken: return fail("waiting", wait: 200)
      case .invalidGrant:
        isLatched = true
        return end(.over(isRetry ? "lost" : "grant"))
      case .killed:
        isOpen = true
        return beginAnew()
      case .killedAfterStoring(let new):
        (token, isUnaccepted, isOpen) = (new, true, true)
        return beginAnew()
      }
    }
  }
}
