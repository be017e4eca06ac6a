package import GrantModel
package import SessionModel

/// What is known of the end of a login, which no renewal moves: a pure reckoning.
///
/// A provider may state how long the refresh token lives (`refresh_expires_in`,
/// `refresh_token_expires_in`). Most move that end at each renewal, and then it says nothing of the
/// login; one that a renewal leaves where it was is the login's own. Where nothing is stated, two
/// logins in a row that ended at the same age by `invalid_grant` are taken for a rule, and one is
/// not: a changed password ends a login as well. A provider's limit of idleness is not learnt: the
/// host renews in time, and while the machine is off nobody can be warned.
package struct LoginEnd: Sendable, Hashable {
  /// The provider that this was learnt from.
  package var issuer: String
  /// When the person signed in; nil where that was before this was kept.
  package var signedInAt: UnixTime?
  /// Whether the last renewal has left the stated end where it was.
  package var isFixed = false
  /// At which ages logins have ended.
  package var ages: AgeRange?
  /// How many logins in a row ended at those ages.
  package var count = 0
  /// The end that the person was warned of.
  package var warnedOf: UnixTime?

  /// How long before the end a person is warned at most.
  package static let longestNotice: Duration = .seconds(86_400)
  /// How many logins make a rule.
  package static let rule = 2
  // Renewals that follow each other faster say nothing of what moves.
  private static let shortestStep: Duration = .seconds(10)

  /// The ages between which a login ended: it was alive at the first and over at the last.
  package struct AgeRange: Sendable, Hashable {
    /// The age of the last renewal that succeeded.
    package let alive: Duration
    /// The age at which the provider said that it is over.
    package let over: Duration

    /// Creates a range.
    package init(alive: Duration, over: Duration) {
      self.alive = alive
      self.over = over
    }

    /// Whether it is narrow enough to say when.
    var isTelling: Bool { alive >= .zero && over - alive <= over / 8 }

    /// What both ranges have in common; nil where that is nothing.
    func intersection(_ other: AgeRange) -> AgeRange? {
      let common = AgeRange(alive: max(alive, other.alive), over: min(over, other.over))
      return common.alive <= common.over ? common : nil
    }
  }

  /// An end that is to be expected.
  package struct Expected: Sendable, Hashable {
    /// When.
    package let at: UnixTime
    /// Whether former logins say so, and not the provider.
    package let isLearnt: Bool
  }

  /// Begins with nothing.
  package init(issuer: String) {
    self.issuer = issuer
  }

  /// Takes note of a sign-in; what was learnt of the same provider is kept.
  package mutating func begin(_ grant: Grant, now: UnixTime) {
    var next = LoginEnd(issuer: grant.issuer)
    if issuer == grant.issuer { (next.ages, next.count) = (ages, count) }
    next.signedInAt = now
    self = next
  }

  /// Takes note of a renewal.
  package mutating func renew(_ former: Grant, as grant: Grant) {
    if let signedInAt, let ages, grant.issuedAt.since(signedInAt) > ages.over {
      (self.ages, count) = (nil, 0)
    }
    guard let end = former.renewableUntil, let next = grant.renewableUntil else {
      isFixed = false
      return
    }
    let step = grant.issuedAt.since(former.issuedAt)
    if step >= LoginEnd.shortestStep { isFixed = next.since(end) < step / 2 }
  }

  /// Takes note that the provider has ended a login by `invalid_grant`.
  ///
  /// - Parameters:
  ///   - grant: what had to be renewed.
  ///   - now: the time.
  package mutating func end(_ grant: Grant, now: UnixTime) {
    guard let signedInAt else { return }
    let age = AgeRange(
      alive: grant.issuedAt.since(signedInAt), over: now.since(signedInAt))
    let common = ages?.intersection(age)
    guard age.isTelling else {
      // As when the machine was off at the end: it may speak against a rule, not for one.
      if common == nil { (ages, count) = (nil, 0) }
      return
    }
    (ages, count) = common.map { ($0, count + 1) } ?? (age, 1)
  }

  /// The end that is to be expected of a grant; nil where none is known.
  package func expected(of grant: Grant) -> Expected? {
    if isFixed, let end = grant.renewableUntil { return Expected(at: end, isLearnt: false) }
    guard count >= LoginEnd.rule, let ages, let signedInAt else { return nil }
    return Expected(at: signedInAt + ages.alive, isLearnt: true)
  }

  /// Returns when to warn of the end; nil where there is none to warn of, any more or again.
  package func warningTime(of grant: Grant) -> UnixTime? {
    guard let end = expected(of: grant)?.at else { return nil }
    let notice = signedInAt.map { min(end.since($0) / 8, LoginEnd.longestNotice) }
    let time = end - max(notice ?? LoginEnd.longestNotice, .zero)
    // An end that was moved a little is the same.
    if let warnedOf, time <= warnedOf { return nil }
    return time
  }
}

extension Grant {
  /// How long the refresh token lives, where a renewal may move its end; nil where that is not known.
  func renewableLifetime(_ end: LoginEnd?) -> Duration? {
    end?.isFixed == true ? nil : renewableUntil?.since(issuedAt)
  }
}
