package import GrantModel

/// When a session is renewed and how long the host waits after a failure: pure arithmetic.
package struct RenewalPolicy: Sendable, Hashable {
  /// How long before the expiry at most; a quarter of a short lifetime is enough, and of one below
  /// 8 s an eighth and a second.
  package let renewBefore: Duration
  /// The lifetime to assume of a token that names none; nil to renew such a token only on demand.
  package let assumedLifetime: Duration?
  /// Whether the host renews without being asked.
  package let isAutomatic: Bool

  /// The longest time between two snapshots, so that a reader can tell that the host is alive.
  package static let heartbeat: Duration = .seconds(6 * 3600)
  /// The shortest wait after a failure that a quick retry can't mend: TLS, `invalid_client`.
  package static let slowRetry: Duration = .seconds(300)
  /// How many refusals without a reason end in a wish for a new sign-in.
  package static let refusalLimit = 4
  /// How often the provider is asked to revoke a grant before the host gives up.
  package static let revocationLimit = 20

  /// Creates a policy.
  package init(
    renewBefore: Duration = .seconds(60), assumedLifetime: Duration? = nil,
    isAutomatic: Bool = true
  ) {
    self.renewBefore = renewBefore
    self.assumedLifetime = assumedLifetime
    self.isAutomatic = isAutomatic
  }

  /// Returns how long after its issue a token is renewed.
  ///
  /// - Parameters:
  ///   - lifetime: the token's lifetime; nil when it names none.
  ///   - random: from 0 up to 1; jitter only ever makes a renewal earlier, by a twentieth at most.
  /// - Returns: the age; nil when the token is renewed on demand only. One that was issued expired
  ///   is renewed slowly: to ask for the next at once would never end.
  package func renewalAge(lifetime: Duration?, random: Double) -> Duration? {
    guard let lifetime = lifetime ?? assumedLifetime else { return nil }
    guard lifetime > .zero else { return RenewalPolicy.slowRetry }
    // Readers stop at an eighth, and give away up to a second when they count by the boot clock.
    let needed = min(lifetime / 8 + .seconds(1), lifetime / 2)
    let lead = min(renewBefore, max(lifetime / 4, needed))
    return lifetime - lead - lifetime / 20 * random
  }

  /// Returns how long to wait after a failed attempt: full jitter, from 1 s to 5 min.
  ///
  /// - Parameters:
  ///   - attempt: how many attempts have failed in a row, 1 or more.
  ///   - random: from 0 up to 1.
  /// - Returns: the wait, never under 200 ms.
  package static func backOff(attempt: Int, random: Double) -> Duration {
    let ceiling = min(Duration.seconds(1 << (min(max(attempt, 1), 10) - 1)), .seconds(300))
    return max(ceiling * random, .milliseconds(200))
  }

  /// Returns how long to wait after a refusal without a reason: from 5 s on, ever longer.
  ///
  /// A few of them end in a wish for a new sign-in, so that they must outlast a proxy's bad minute.
  private static func spaced(attempt: Int, random: Double) -> Duration {
    let ceiling = min(Duration.seconds(10 << (min(max(attempt, 1), 6) - 1)), .seconds(300))
    return ceiling / 2 + ceiling / 2 * random
  }

  /// Returns how long to wait after a transient failure.
  ///
  /// - Parameters:
  ///   - cause: what happened.
  ///   - retryAfter: what the provider asked for; it is obeyed, up to a day.
  ///   - attempt: how many attempts have failed in a row, this one included.
  ///   - random: from 0 up to 1.
  /// - Returns: the wait.
  package static func wait(
    after cause: TransientCause, retryAfter: Duration?, attempt: Int, random: Double
  ) -> Duration {
    let usual =
      switch cause {
      case _ where cause.isSlow: slowRetry
      case .refusedWithoutReason: spaced(attempt: attempt, random: random)
      default: backOff(attempt: attempt, random: random)
      }
    guard let retryAfter else { return usual }
    return max(usual, min(retryAfter, .seconds(86_400)))
  }

  /// Returns the shortest time between two renewals that readers may cause by rejecting a token.
  package static func rejectionInterval(lifetime: Duration?) -> Duration {
    guard let lifetime else { return .seconds(30) }
    return max(min(.seconds(30), lifetime / 4), .seconds(1))
  }
}

extension TransientCause {
  /// Whether a quick retry cannot help.
  package var isSlow: Bool {
    switch self {
    case .tls, .oauth, .unverifiable, .configuration: true
    case .network, .unavailable, .rateLimited, .refusedWithoutReason, .conflict, .lostAnswer,
      .local, .storage:
      false
    }
  }

  /// Whether the provider may have done what was asked, such as rotating the refresh token, without
  /// the host knowing.
  ///
  /// A gateway that got no answer in time, or a bad one (RFC 9110 15.6.3 and 15.6.5, and 520 to 524
  /// of a well-known one), had passed the request on.
  package var mayHaveBeenCarriedOut: Bool {
    switch self {
    case .lostAnswer, .unavailable(status: 502), .unavailable(status: 504),
      .unavailable(status: 520...524):
      true
    default: false
    }
  }

  /// Whether the provider was not reached at all.
  package var isUnreachable: Bool {
    switch self {
    case .network, .tls, .local, .configuration: true
    default: false
    }
  }
}
