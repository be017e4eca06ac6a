import GrantModel
import SessionHost
import SessionModel
import TestSupport
import Testing

@Suite struct RenewalPolicyTests {
  @Test(arguments: [
    // Lifetime, lead at most, jitter; then the age at which the token is renewed.
    (3600, 60, 0.0, 3540.0), (3600, 60, 1.0, 3360.0), (3600, 3600, 0.0, 2700.0),
    (5, 60, 0.0, 3.375), (5, 60, 1.0, 3.125), (1, 60, 1.0, 0.45), (8, 60, 0.0, 6.0),
    (120, 60, 0.0, 90.0),
    (240, 60, 0.5, 174.0), (2_592_000, 60, 0.0, 2_591_940.0),
  ])
  func theLeadIsWhatWasConfiguredButAPartOfAShortLifetimeAtMost(
    lifetime: Int, renewBefore: Int, random: Double, age: Double
  ) throws {
    let policy = RenewalPolicy(renewBefore: .seconds(renewBefore))
    let found = try #require(policy.renewalAge(lifetime: .seconds(lifetime), random: random))
    #expect(abs((found - .seconds(age)) / .seconds(1)) < 0.001)
  }

  @Test func rf19JitterOnlyEverMakesARenewalEarlier() throws {
    let policy = RenewalPolicy()
    let latest = try #require(policy.renewalAge(lifetime: .seconds(3600), random: 0))
    for step in 0..<100 {
      let age = try #require(
        policy.renewalAge(lifetime: .seconds(3600), random: Double(step) / 100))
      #expect(age <= latest)
      #expect(age >= latest - .seconds(180))
    }
  }

  @Test func rf19AThousandHostsDoNotRenewInTheSameSecond() throws {
    let policy = RenewalPolicy()
    var generator = SeededGenerator(seed: 19)
    var hosts: [Int64: Int] = [:]
    for _ in 0..<1000 {
      let random = Double.random(in: 0..<1, using: &generator)
      let age = try #require(policy.renewalAge(lifetime: .seconds(3600), random: random))
      hosts[age.components.seconds, default: 0] += 1
    }
    #expect(try #require(hosts.values.max()) <= 30)
  }

  @Test(arguments: [0, -1, Int64.min / 4])
  func aTokenThatIsBornExpiredIsRenewedSlowly(lifetime: Int64) {
    #expect(
      RenewalPolicy().renewalAge(lifetime: .seconds(lifetime), random: 0.5)
        == RenewalPolicy.slowRetry)
  }

  @Test func aHugeLifetimeIsNoTrap() {
    #expect(RenewalPolicy().renewalAge(lifetime: .seconds(Int64.max / 2), random: 1) != nil)
  }

  @Test func aTokenWithoutALifetimeIsRenewedOnDemandUnlessOneIsAssumed() {
    #expect(RenewalPolicy().renewalAge(lifetime: nil, random: 0) == nil)
    #expect(
      RenewalPolicy(assumedLifetime: .seconds(3600)).renewalAge(lifetime: nil, random: 0)
        == .seconds(3540))
  }

  @Test(arguments: [(1, 1), (2, 2), (3, 4), (4, 8), (9, 256), (10, 300), (11, 300), (1000, 300)])
  func rf10TheBackOffDoublesUpToFiveMinutes(attempt: Int, ceiling: Int) {
    #expect(RenewalPolicy.backOff(attempt: attempt, random: 1) == .seconds(ceiling))
    #expect(
      RenewalPolicy.backOff(attempt: attempt, random: 0.5) == .seconds(ceiling) / 2)
    #expect(RenewalPolicy.backOff(attempt: attempt, random: 0) == .milliseconds(200))
  }

  @Test func aNegativeAttemptIsNoTrap() {
    #expect(RenewalPolicy.backOff(attempt: .min, random: 1) == .seconds(1))
  }

  @Test(arguments: [
    (TransientCause.network("down"), 1.0), (.unavailable(status: 500), 1.0), (.rateLimited, 1.0),
    (.conflict, 1.0), (.lostAnswer("timeout"), 1.0),
    (.storage(JournalError("disk full")), 1.0), (.refusedWithoutReason(status: 400), 10.0),
    (.tls("expired"), 300.0), (.oauth(code: "invalid_client"), 300.0),
    (.oauth(code: "unauthorized_client"), 300.0), (.oauth(code: "unsupported_grant_type"), 300.0),
    (.unverifiable("signature"), 300.0), (.configuration("no token_endpoint"), 300.0),
    (.local("clientSecretCommand: pass: ended with status 2"), 1.0),
  ])
  func rf11AndRf12WhatAQuickRetryCannotMendWaitsLong(cause: TransientCause, wait: Double) {
    #expect(
      RenewalPolicy.wait(after: cause, retryAfter: nil, attempt: 1, random: 1) == .seconds(wait))
  }

  @Test func refusalsWithoutAReasonAreNeverCloserThanFiveSeconds() {
    var total = Duration.zero
    for attempt in 1..<RenewalPolicy.refusalLimit {
      total += RenewalPolicy.wait(
        after: .refusedWithoutReason(status: 400), retryAfter: nil, attempt: attempt, random: 0)
    }
    #expect(total == .seconds(35))
    #expect(
      RenewalPolicy.wait(
        after: .refusedWithoutReason(status: 400), retryAfter: nil, attempt: .max, random: 1)
        == .seconds(300))
  }

  /// What the provider asks for, and the wait.
  private static let requests: [(Int64, Int64)] = [
    (120, 120), (0, 1), (-5, 1), (1, 1), (86_400, 86_400), (Int64.max / 4, 86_400),
  ]

  @Test(arguments: requests)
  func rf10RetryAfterIsObeyedUpToADay(asked: Int64, wait: Int64) {
    #expect(
      RenewalPolicy.wait(
        after: .rateLimited, retryAfter: .seconds(asked), attempt: 1, random: 1)
        == .seconds(wait))
  }

  private static let rejections: [(Int64?, Int64)] = [
    (nil, 30_000), (3600, 30_000), (60, 15_000), (5, 1250), (0, 1000), (-10, 1000),
  ]

  @Test(arguments: rejections)
  func cs04TokensMayBeRejectedOnceInAQuarterOfTheirLifetime(
    lifetime: Int64?, milliseconds: Int64
  ) {
    #expect(
      RenewalPolicy.rejectionInterval(lifetime: lifetime.map { Duration.seconds($0) })
        == .milliseconds(milliseconds))
  }
}
