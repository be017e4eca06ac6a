import GrantModel
import SessionModel

/// What a process knows of its renewals beyond the record; a restart begins without it.
struct RenewalState {
  /// What the host says of itself, as long as it can store.
  var hostState: HostState = .ok
  /// The last failure, until a renewal succeeds.
  var cause: TransientCause?
  /// How many renewals have failed in a row.
  var failures = 0
  /// When the next try is due after a failure.
  var retryAt: BootTime?
  /// Until when nobody may hurry the host on.
  var quietUntil: BootTime?
  /// When the last request was begun.
  var lastAttemptAt: BootTime?
  /// When the access token was obtained, if this process obtained it.
  var obtainedAt: Instant?
  /// When a caller that asked for no validity was given a new token, while that is the last one.
  var demandedAt: BootTime?
  /// The random number that makes the next renewal earlier.
  var jitter: Double = 0

  /// The last failure in words.
  var failure: String? { cause?.description }

  /// Notes that a token was obtained just now, from which its renewal is counted.
  mutating func noteObtained(at now: Instant, jitter: Double) {
    self = RenewalState(lastAttemptAt: lastAttemptAt, obtainedAt: now, jitter: jitter)
  }

  /// Forgets the wait after a failure to reach the provider, which may succeed now.
  ///
  /// What the provider itself has asked for stays.
  mutating func hurry(now: BootTime) {
    guard cause?.isUnreachable == true, let retryAt else { return }
    self.retryAt = min(retryAt, now)
    quietUntil = nil
  }

  /// Notes that there is nothing to renew any more.
  mutating func noteEnd() {
    self = RenewalState(lastAttemptAt: lastAttemptAt, obtainedAt: obtainedAt, jitter: jitter)
  }

  /// Notes a failure.
  ///
  /// - Parameters:
  ///   - cause: what happened.
  ///   - wait: how long to wait before the next try.
  ///   - isObeying: whether the provider asked for the wait.
  ///   - now: the time.
  /// - Returns: whether it is the first of its kind.
  mutating func fail(
    _ cause: TransientCause, wait: Duration, isObeying: Bool, now: Instant
  ) -> Bool {
    // What callers hurried on must not drive the host's own pace towards its slowest: the try that
    // is planned stays planned.
    let isHurried = retryAt.flatMap { planned in lastAttemptAt.map { $0 < planned } } ?? false
    if !isHurried || isObeying || cause.isSlow {
      failures += 1
      retryAt = now.boot + wait
    }
    // Callers may hurry the host on, but neither past what the provider asked for, nor where a
    // quick retry cannot help, nor in a storm.
    quietUntil = now.boot + (isObeying || cause.isSlow ? wait : min(wait, .seconds(1)))
    hostState = HostState(
      after: cause, retryAt: now.wall + wait + .seconds(1), isObeying: isObeying)
    defer { self.cause = cause }
    return failure != cause.description
  }
}

extension NamespaceSession {
  /// Returns how long it is until the next renewal; nil when none is planned.
  func timeUntilRenewal(now: Instant) -> Duration? {
    // Without a durable intent nothing may be asked for.
    guard setup.policy.isAutomatic, !storage.isBehind, record.renewableGrant != nil,
      record.refusal == nil, let grant = record.grant
    else { return nil }
    if let retryAt = renewals.retryAt { return retryAt.since(now.boot) }
    if record.rotatedToken != nil || record.rotationIntent != nil { return .zero }
    guard let age = renewalAge(of: grant) else { return nil }
    // The boot clock and the wall clock, whichever says so earlier: either may have been set.
    let byWall = age - max(now.since(grant.issuedAt), .zero)
    guard let obtainedAt = obtainedInThisBoot(now: now) else { return byWall }
    let passed = now.boot.since(obtainedAt.boot)
    // A reader counts from the request's whole second too: a token that comes late is older.
    let byBoot = age - max(obtainedAt.since(grant.issuedAt), .zero) - passed
    let due = min(byWall, byBoot)
    guard renewals.obtainedAt != nil else { return due }
    // However the wall clock runs, a token that was just obtained is not renewed again and again.
    return max(due, min(.seconds(30), age / 4) - passed)
  }

  // At the end of whichever token ends first.
  private func renewalAge(of grant: Grant) -> Duration? {
    let policy = setup.policy
    let age = policy.renewalAge(lifetime: grant.lifetime, random: renewals.jitter)
    guard let renewable = grant.renewableLifetime(record.loginEnd),
      let limit = policy.renewalAge(lifetime: renewable, random: renewals.jitter)
    else { return age }
    return min(age ?? limit, limit)
  }

  /// Returns when the access token was obtained, by whichever process; nil in another boot.
  func obtainedInThisBoot(now: Instant) -> Instant? {
    let obtainedAt = renewals.obtainedAt ?? record.obtainedAt
    return obtainedAt?.bootIdentifier == now.bootIdentifier ? obtainedAt : nil
  }

  /// Returns how long the access token is good; nil when that is not known.
  func timeLeft(now: Instant) -> Duration? {
    guard let expiresAt = record.grant?.expiresAt else { return nil }
    let byWall = .zero - now.since(expiresAt)
    guard let obtainedAt = obtainedInThisBoot(now: now) else { return byWall }
    return min(byWall, .zero - obtainedAt.since(expiresAt) - now.boot.since(obtainedAt.boot))
  }
}

extension Grant {
  /// How long the access token lives; nil when that is not known.
  var lifetime: Duration? { expiresAt.map { $0.since(issuedAt) } }
}

extension BootTime {
  /// Returns the point that lies a duration after another, rounded up to a nanosecond; a negative
  /// duration counts as none.
  static func + (time: BootTime, duration: Duration) -> BootTime {
    let (seconds, attoseconds) = max(duration, .zero).components
    let (whole, overflow) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, carry) = (overflow ? .max : whole).addingReportingOverflow(time.rawValue)
    let (end, excess) = sum.addingReportingOverflow(
      UInt64((attoseconds + 999_999_999) / 1_000_000_000))
    return BootTime(rawValue: carry || excess ? .max : end)
  }
}
