import HostControl
import SessionModel
import Testing
import VaultReporting

@Suite struct PendingChangeTests {
  private static func at(_ milliseconds: UInt64) -> UInt64 { milliseconds * 1_000_000 }

  private static func status(_ session: String) -> NamespaceStatus {
    NamespaceStatus(namespace: .primary, group: .default, session: session, host: "ok")
  }

  @Test func ofABurstTheLastStateIsToldOnce() {
    var change = PendingChange()
    #expect(change.rest(now: Self.at(0)) == nil)
    #expect(change.take(now: Self.at(0)) == nil)
    for (time, word) in [(0, "expired"), (60, "renewing"), (120, "valid")] as [(UInt64, String)] {
      change.note(Self.status(word), now: Self.at(time))
      #expect(change.take(now: Self.at(time)) == nil, "\(word)")
    }
    #expect(change.rest(now: Self.at(120)) == .milliseconds(100))
    #expect(change.take(now: Self.at(219)) == nil)
    #expect(change.take(now: Self.at(220)) == Self.status("valid"))
    #expect(change.rest(now: Self.at(220)) == nil)
    #expect(change.take(now: Self.at(5000)) == nil)
  }

  @Test func whatNeverStopsIsToldEachSecondWithItsStateOfThen() {
    var change = PendingChange()
    var told: [String] = []
    for time in stride(from: 0 as UInt64, through: 2100, by: 50) {
      change.note(Self.status("\(time)"), now: Self.at(time))
      if let status = change.take(now: Self.at(time)) { told.append(status.session) }
    }
    #expect(told == ["1000", "2050"])
  }
}
