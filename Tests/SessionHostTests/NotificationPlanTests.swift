import SessionHost
import SessionModel
import TestSupport
import Testing

/// When the desktop shows a notification, replaces it and takes it away.
@Suite(.timeLimit(.minutes(1)))
struct NotificationPlanTests {
  private static let ended = PersonMatter(.sessionEnded(.invalidGrant))
  private static let ending = PersonMatter(
    .loginEnds(UnixTime(rawValue: 1), isLearnt: false))
  private static let work = Namespace("work") ?? .primary
  private static let home = Namespace("home") ?? .primary

  private static func at(_ seconds: UInt64) -> BootTime {
    BootTime(rawValue: seconds * 1_000_000_000)
  }

  private static func connected(
    _ memory: NotificationPlan.Memory = .init(), at seconds: UInt64 = 0
  ) -> NotificationPlan {
    var plan = NotificationPlan(memory)
    plan.note(.server("s"), now: at(seconds))
    return plan
  }

  /// A plan whose pop-up 7 tells of one namespace since the third second.
  private static func showing() -> NotificationPlan {
    var plan = connected()
    plan.note(ended, of: work, now: at(0))
    _ = plan.step(now: at(3))
    plan.note(.shown(7, server: "s"), now: at(3))
    return plan
  }

  @Test func nd01NamespacesThatEndTogetherAreToldOfOnce() {
    var plan = Self.connected()
    plan.note(Self.ended, of: .primary, now: Self.at(10))
    #expect(plan.step(now: Self.at(10)) == .wait(until: Self.at(13)))
    plan.note(Self.ended, of: Self.work, now: Self.at(12))
    #expect(plan.step(now: Self.at(12)) == .wait(until: Self.at(13)))
    let both = [Namespace.primary: Self.ended, Self.work: Self.ended]
    #expect(plan.step(now: Self.at(13)) == .show(both, replacing: nil))
    #expect(plan.step(now: Self.at(20)) == .rest, "it is not there yet")
    plan.note(.shown(7, server: "s"), now: Self.at(20))
    #expect(plan.step(now: Self.at(9000)) == .rest)
    #expect(plan.memory.told == [.primary: .ended, Self.work: .ended])
  }

  @Test func whatComesLaterGoesIntoThePopUpThatStands() {
    var plan = Self.showing()
    plan.note(Self.ended, of: Self.home, now: Self.at(10))
    #expect(plan.step(now: Self.at(10)) == .wait(until: Self.at(13)))
    let both = [Self.work: Self.ended, Self.home: Self.ended]
    #expect(plan.step(now: Self.at(13)) == .show(both, replacing: 7))
  }

  @Test func afterThePersonHasClosedItTheNextOneWaits() {
    var plan = Self.showing()
    plan.note(.closed(7), now: Self.at(5))
    #expect(!plan.needsBus && plan.step(now: Self.at(5)) == .rest)
    plan.note(Self.ended, of: Self.home, now: Self.at(10))
    #expect(plan.step(now: Self.at(13)) == .wait(until: Self.at(303)))
    #expect(plan.step(now: Self.at(303)) == .show([Self.home: Self.ended], replacing: nil))
  }

  @Test func itIsTakenAwayOnceNobodyIsNeeded() {
    var plan = Self.showing()
    plan.note(nil, of: Self.work, now: Self.at(10))
    #expect(plan.step(now: Self.at(10)) == .close(7))
    #expect(!plan.needsBus && plan.memory == NotificationPlan.Memory())
    // And told of anew when it comes to that again.
    plan.note(Self.ended, of: Self.work, now: Self.at(400))
    #expect(plan.step(now: Self.at(403)) == .show([Self.work: Self.ended], replacing: nil))
  }

  @Test func whoHasSignedInIsNotNamedAnyMore() {
    var plan = Self.showing()
    plan.note(Self.ended, of: Self.home, now: Self.at(10))
    _ = plan.step(now: Self.at(13))
    plan.note(.shown(7, server: "s"), now: Self.at(13))
    plan.note(nil, of: Self.work, now: Self.at(20))
    #expect(plan.step(now: Self.at(20)) == .show([Self.home: Self.ended], replacing: 7))
  }

  @Test func aSignInWhileTheServerThinksIsHeeded() {
    var plan = Self.connected()
    plan.note(Self.ended, of: Self.work, now: Self.at(0))
    _ = plan.step(now: Self.at(3))
    plan.note(nil, of: Self.work, now: Self.at(4))
    #expect(plan.step(now: Self.at(4)) == .rest)
    plan.note(.shown(7, server: "s"), now: Self.at(90))
    #expect(plan.step(now: Self.at(90)) == .close(7))
    plan.note(Self.ended, of: Self.work, now: Self.at(400))
    #expect(plan.step(now: Self.at(403)) == .show([Self.work: Self.ended], replacing: nil))
  }

  @Test func aLoginThatWasAboutToEndAndHasEndedIsTwoThings() {
    var plan = Self.connected()
    plan.note(Self.ending, of: Self.work, now: Self.at(0))
    #expect(plan.step(now: Self.at(3)) == .show([Self.work: Self.ending], replacing: nil))
    plan.note(.shown(7, server: "s"), now: Self.at(3))
    plan.note(Self.ended, of: Self.work, now: Self.at(4000))
    #expect(plan.step(now: Self.at(4003)) == .show([Self.work: Self.ended], replacing: 7))
  }

  @Test func whatGetsWorseWhileTheServerThinksIsToldAsWell() {
    var plan = Self.connected()
    plan.note(Self.ending, of: Self.work, now: Self.at(0))
    _ = plan.step(now: Self.at(3))
    plan.note(Self.ended, of: Self.work, now: Self.at(4))
    plan.note(.shown(7, server: "s"), now: Self.at(5))
    #expect(plan.step(now: Self.at(5)) == .show([Self.work: Self.ended], replacing: 7))
  }

  @Test func theNextProcessTellsNobodyOfWhatItFindsAndGoesOnWithThePopUp() {
    let memory = Self.showing().memory
    var next = Self.connected(memory)
    #expect(next.step(now: Self.at(0)) == .rest, "nothing is known of it yet")
    next.note(Self.ended, of: Self.work, now: Self.at(0))
    #expect(next.step(now: Self.at(9000)) == .rest)
    next.note(nil, of: Self.work, now: Self.at(9001))
    #expect(next.step(now: Self.at(9001)) == .close(7))
    // Another server has other pop-ups under that number.
    var other = NotificationPlan(memory)
    other.note(.server("other"), now: Self.at(0))
    other.note(nil, of: Self.work, now: Self.at(1))
    #expect(other.step(now: Self.at(1)) == .rest)
  }

  @Test func whatNobodyCouldBeShownIsShownByTheFirstServer() {
    var plan = NotificationPlan()
    plan.note(.server(nil), now: Self.at(0))
    plan.note(Self.ended, of: Self.work, now: Self.at(0))
    #expect(plan.step(now: Self.at(3)) == .show([Self.work: Self.ended], replacing: nil))
    plan.note(.refused(server: nil), now: Self.at(4))
    #expect(plan.step(now: Self.at(9000)) == .rest, "none is started again and again")
    var gone = plan
    plan.note(.server("s"), now: Self.at(9001))
    #expect(plan.step(now: Self.at(9001)) == .show([Self.work: Self.ended], replacing: nil))
    gone.note(nil, of: Self.work, now: Self.at(9001))
    gone.note(.server("s"), now: Self.at(9002))
    #expect(gone.step(now: Self.at(9002)) == .rest && !gone.needsBus)
  }

  @Test func whatAServerDiedOfIsAskedOfTheOneThatCameInItsPlace() {
    var plan = Self.connected()
    plan.note(Self.ended, of: Self.work, now: Self.at(0))
    _ = plan.step(now: Self.at(3))
    plan.note(.server("t"), now: Self.at(4))
    plan.note(.refused(server: "s"), now: Self.at(4))
    #expect(plan.step(now: Self.at(4)) == .show([Self.work: Self.ended], replacing: nil))
    plan.note(.refused(server: "t"), now: Self.at(5))
    #expect(plan.step(now: Self.at(5)) == .rest)
  }

  @Test func serversThatFallOverItAreTriedAFewTimesAndNoMore() {
    var plan = NotificationPlan()
    plan.note(Self.ended, of: Self.work, now: Self.at(0))
    var tries = 0
    for number in 0..<20 {
      plan.note(.server("s\(number)"), now: Self.at(10))
      if case .show = plan.step(now: Self.at(10)) { tries += 1 }
      plan.note(.server(nil), now: Self.at(10))
      plan.note(.refused(server: "s\(number)"), now: Self.at(10))
    }
    #expect(tries == NotificationPlan.attemptLimit)
    plan.note(Self.ended, of: Self.home, now: Self.at(20))
    plan.note(.server("t"), now: Self.at(20))
    guard case .show = plan.step(now: Self.at(23)) else {
      Issue.record("something new is tried again")
      return
    }
  }

  @Test func whereNothingIsToBeShownThePopUpGoes() {
    var plan = Self.showing()
    plan.isEnabled = false
    #expect(plan.step(now: Self.at(10)) == .close(7))
    plan.note(Self.ended, of: Self.home, now: Self.at(20))
    #expect(plan.step(now: Self.at(900)) == .rest && !plan.needsBus)
    plan.isEnabled = true
    #expect(plan.step(now: Self.at(901)) == .show([Self.home: Self.ended], replacing: nil))
  }

  @Test func whatIsNotConfiguredAnyMoreNeedsNobody() {
    var plan = Self.connected(Self.showing().memory)
    plan.keep(only: [Self.home], now: Self.at(1))
    #expect(plan.step(now: Self.at(1)) == .close(7))
    #expect(plan.memory == NotificationPlan.Memory())
  }

  @Test(arguments: 0..<UInt64(60))
  func nd02WhateverHappensThereIsOnePopUpAndItIsTrue(seed: UInt64) {
    var life = DesktopLife(seed: seed)
    for _ in 0..<400 {
      let deed = life.happen()
      if let fault = life.fault {
        Issue.record("seed \(seed), \(deed): \(fault)")
        return
      }
    }
    life.becomeWell()
    #expect(life.untold == [], "seed \(seed)")
    #expect(life.newPopUps > 0, "seed \(seed)")
  }
}
