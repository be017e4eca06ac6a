import GrantModel
package import SessionModel

/// What a person has to do something about in a namespace: nothing else can bring it in order.
package struct PersonMatter: Sendable, Hashable {
  /// How far it has come; the later ones weigh more.
  package enum Stage: String, Sendable, Comparable, CaseIterable {
    /// The session works, and its login is about to end.
    case ending
    /// There is no session that could be renewed.
    case ended

    /// Orders by weight.
    package static func < (left: Stage, right: Stage) -> Bool {
      left == .ending && right == .ended
    }
  }

  /// What it is.
  package enum Kind: Sendable, Hashable {
    /// The login ends then, whatever is renewed; whether former logins say so, and not the provider.
    case loginEnds(UnixTime, isLearnt: Bool)
    /// The session needs a new sign-in.
    case sessionEnded(ReauthenticationReason)
  }

  /// What it is.
  package let kind: Kind
  /// The name of the account, as the provider or the person has it.
  package let account: String?

  /// Creates a matter.
  package init(_ kind: Kind, account: String? = nil) {
    self.kind = kind
    self.account = account
  }

  /// How far it has come.
  package var stage: Stage {
    switch kind {
    case .loginEnds: .ending
    case .sessionEnded: .ended
    }
  }
}

extension NamespaceSession {
  /// Tells of what a person has to do, where that has changed.
  func noteMatter() {
    guard let onMatter = setup.onMatter, isRunning else { return }
    let matter = matter(now: time.now())
    guard notedMatter != .some(matter) else { return }
    notedMatter = .some(matter)
    onMatter(matter)
  }

  /// Returns how long it is until a session ends that nothing can renew; nil where that is told already.
  func timeUntilMatter(now: Instant) -> Duration? {
    guard setup.onMatter != nil, notedMatter == .some(nil), record.grant != nil,
      record.currentRefreshToken == nil
    else { return nil }
    return timeLeft(now: now)
  }

  private func matter(now: Instant) -> PersonMatter? {
    let account = setup.accountName ?? record.shownAccountName
    if let reason = personReason(now: now) {
      return PersonMatter(.sessionEnded(reason), account: account)
    }
    // As long as it is the end that was warned of, and be it past: then the next renewal tells more.
    guard let end = expectedEnd, let grant = record.grant, record.loginEnd?.warnedOf != nil,
      record.loginEnd?.warningTime(of: grant) == nil
    else { return nil }
    return PersonMatter(.loginEnds(end.at, isLearnt: end.isLearnt), account: account)
  }
}
