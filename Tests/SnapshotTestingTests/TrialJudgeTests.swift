import SnapshotTesting
import Testing

/// The rules, on records that no process had to make.
@Suite struct TrialJudgeTests {
  /// What a correct widget leaves behind: a token that ends at 10 s, another one at 20 s.
  private static func record() -> TrialRecord {
    var record = TrialRecord()
    record.length = .seconds(30)
    record.sights = [
      .init(at: .zero, condition: .usable, words: "valid, host ok"),
      .init(at: .seconds(10), condition: .ended, words: "expired, host stale"),
      .init(at: .seconds(20), condition: .usable, words: "valid, host ok"),
    ]
    record.tokens = [
      .init(number: 1, mark: "aaaa", end: .init(at: .seconds(10), cause: "its end")),
      .init(number: 2, mark: "bbbb"),
    ]
    record.lines = lines([(0, "ada aaaa"), (10, "ended"), (20, "ada bbbb")])
    record.timeToEnd = .milliseconds(10)
    return record
  }

  /// What a widget printed, `seconds|text`, and whether that breaks a rule.
  struct Output: Sendable, CustomTestStringConvertible {
    let lines: [TrialRecord.Line]
    let isBroken: Bool
    var testDescription: String { lines.map { "\($0.at) \($0.text)" }.joined(separator: ", ") }

    init(_ isBroken: Bool, _ lines: [String]) {
      self.isBroken = isBroken
      self.lines = lines.map { line in
        let parts = line.split(separator: "|", omittingEmptySubsequences: false)
        return TrialRecord.Line(
          at: .milliseconds(Int((Double(parts[0]) ?? 0) * 1000)), text: String(parts[1]))
      }
    }
  }

  private static func lines(_ lines: [(Double, String)]) -> [TrialRecord.Line] {
    lines.map { TrialRecord.Line(at: .milliseconds(Int($0.0 * 1000)), text: $0.1) }
  }

  private static func broken(
    _ record: TrialRecord, _ expectations: [Scenario.Expectation] = [],
    without: Set<TrialRule> = []
  ) -> [TrialRule: TrialVerdict.Breach] {
    let judge = TrialJudge(
      record, limits: TrialLimits(without: without), expectations: expectations)
    return Dictionary(
      uniqueKeysWithValues: judge.verdicts.compactMap { verdict in
        verdict.breach.map { (verdict.rule, $0) }
      })
  }

  @Test func aCorrectWidgetIsAccusedOfNothing() {
    #expect(Self.broken(Self.record()).isEmpty)
    let judge = TrialJudge(Self.record(), limits: TrialLimits())
    #expect(
      judge.verdicts.map(\.rule) == [.token, .blank, .visible, .busy, .issuer, .alive, .ends])
  }

  private static let aTokenIsNotShownAfterItsEndCases: [Output] = [
    // It prints a token that has ended, be it once more or only not replaced.
    Output(true, ["0.0|aaaa", "10|ended", "13|aaaa again", "20|ada"]),
    Output(true, ["0|aaaa"]),
    // What comes within the limit may have been on its way.
    Output(false, ["0|aaaa", "11.9|aaaa", "11.95|ended", "20|ada"]),
    // The other token may be shown for as long as it is good.
    Output(false, ["0|bbbb", "10|ended", "20|ada"]),
  ]

  @Test(arguments: aTokenIsNotShownAfterItsEndCases) func aTokenIsNotShownAfterItsEnd(
    output: Output
  ) {
    var record = Self.record()
    record.lines = output.lines
    #expect((Self.broken(record)[.token] != nil) == output.isBroken)
  }

  @Test func theSentenceTellsWhatWhenAndWhatNext() throws {
    var record = Self.record()
    record.lines = Self.lines([(0, "aaaa")])
    let scenario = try Scenario(parsing: "at 0s valid\nat 10s expire\nat 30s end")
    record.steps = scenario.steps.map { .init(at: $0.time, step: $0) }
    let breach = try #require(Self.broken(record)[.token])
    #expect(breach.at == .seconds(12))
    #expect(breach.step?.text == "expire")
    #expect(breach.seen == "the widget still showed token 1 2s after its end")
    #expect(breach.expected == "no token that has ended or was withdrawn for longer than 2s")
    #expect(breach.next.hasPrefix("ask the vault for the token each time"))
  }

  private static let somethingIsShownAtAnyTimeCases: [Output] = [
    Output(false, ["0|ada", "10|ended", "20|ada"]),
    // An empty display counts; an empty line among others does not.
    Output(true, ["0|ada", "5|"]),
    Output(false, ["0|ada", "0|", "10|ended", "20|ada"]),
    Output(false, ["0|ada", "5| ", "6.9|ada", "10|ended", "20|ada"]),
  ]

  @Test(arguments: somethingIsShownAtAnyTimeCases) func somethingIsShownAtAnyTime(output: Output) {
    var record = Self.record()
    record.lines = output.lines
    #expect((Self.broken(record)[.blank] != nil) == output.isBroken)
  }

  @Test func aWidgetThatShowsNothingAfterItsStartIsNamed() {
    var record = Self.record()
    record.isSilentAtStart = true
    let breach = Self.broken(record)[.blank]
    #expect(breach?.at == .zero)
    #expect(breach?.seen == "the widget printed nothing after its start for more than 2s")
  }

  private static let aNewConditionIsShownSoonCases: [Output] = [
    // A glance at another state long before is no reason to call the same line no news.
    Output(false, ["0|ada", "10|ended", "14|ada", "14.05|ended", "20|ada"]),
    Output(false, ["0.0|ada", "10|ended", "20|ada"]),
    // It may be quicker than the record, and as slow as the limit.
    Output(false, ["0|ada", "9.95|ended", "22|ada"]),
    Output(true, ["0|ada", "12.1|ended", "20|ada"]),
    Output(true, ["0|ada", "10|ended"]),
    // The same line again is no news, a new one among old ones is.
    Output(true, ["0|ada", "10|ada", "11|ada", "20|grace"]),
    Output(false, ["0|ada", "0|--", "10|ended", "10|--", "20|ada 2", "20|--"]),
    // A clock or a countdown in each line is no news either.
    Output(
      true,
      [
        "0|12:00:00 ada", "4|12:00:04 ada", "8|12:00:08 ada", "12|12:00:12 ada", "16|12:00:16 ada",
        "21|12:00:21 bob",
      ]),
    Output(
      false,
      [
        "0|12:00:00 ada", "4|12:00:04 ada", "8|12:00:08 ada", "11|12:00:11 ended",
        "16|12:00:16 ended", "21|12:00:21 ada",
      ]),
    // Without a clock figures are as good as words.
    Output(false, ["0|10 left", "10|0 left", "20|10 left"]),
  ]

  @Test(arguments: aNewConditionIsShownSoonCases) func aNewConditionIsShownSoon(output: Output) {
    var record = Self.record()
    record.lines = output.lines
    #expect((Self.broken(record)[.visible] != nil) == output.isBroken)
  }

  @Test func whatPassesBeforeItCouldBeShownIsNotAskedFor() {
    var record = Self.record()
    record.sights.insert(
      .init(at: .seconds(5), condition: .unreadable, words: "corrupt, host ok"), at: 1)
    record.sights.insert(
      .init(at: .seconds(6), condition: .usable, words: "valid, host ok"), at: 2)
    #expect(Self.broken(record).isEmpty)
  }

  @Test func belowTheMarginATokenMayCountAsEnded() {
    var record = Self.record()
    record.sights.insert(
      .init(at: .seconds(6), condition: .fading, words: "expiring, host ok"), at: 1)
    #expect(Self.broken(record).isEmpty)
    record.lines = Self.lines([(0, "ada"), (6, "ended"), (20, "ada")])
    #expect(Self.broken(record).isEmpty)
    record.lines = Self.lines([(0, "ada"), (20, "grace")])
    #expect(Self.broken(record).keys.contains(.visible))
  }

  @Test func theProcessorIsLeftAlone() {
    var record = Self.record()
    record.processorTime = .seconds(7)
    #expect(Self.broken(record).isEmpty)
    record.processorTime = .seconds(8)
    #expect(
      Self.broken(record)[.busy]?.seen
        == "the widget took 26% of one processor, 8s in 30s")
  }

  @Test func nobodyConnectsToTheIssuer() {
    var record = Self.record()
    record.connections = [.seconds(3), .seconds(4)]
    let breach = Self.broken(record)[.issuer]
    #expect(breach?.at == .seconds(3))
    #expect(breach?.seen == "the issuer's address was connected to 2 times")
  }

  @Test func aWidgetThatEndsEarlyIsJudgedUpToThen() {
    var record = Self.record()
    record.earlyEnd = .init(at: .seconds(5), words: "ended with status 3")
    record.lines = Self.lines([(0, "aaaa")])
    record.timeToEnd = nil
    let broken = Self.broken(record)
    #expect(Set(broken.keys) == [.alive])
    #expect(
      broken[.alive]?.seen == "the widget ended with status 3 while the scenario went on")
  }

  @Test func aWidgetThatDoesNotEndIsNamed() {
    var record = Self.record()
    record.timeToEnd = nil
    #expect(
      Self.broken(record)[.ends]?.seen
        == "the widget was still there 2s after SIGTERM and had to be killed")
    #expect(Self.broken(record, without: [.ends]).isEmpty)
  }

  @Test(arguments: [
    ("10s..12s text \"ENDED\"", false), ("1s..2s text \"ada\"", false),
    ("1s..2s text \"grace\"", true), ("9s..11s no text \"ended\"", true),
    ("11s..19s no text \"ada\"", false),
  ]) func whatIsExpectedIsShown(text: String, isBroken: Bool) throws {
    let expectation = try Scenario.Expectation(parsing: text)
    let breach = Self.broken(Self.record(), [expectation])[.expected]
    #expect((breach != nil) == isBroken, "\(String(describing: breach))")
  }

  @Test func atSpeedTheTimesAreTheScenarios() {
    var record = Self.record()
    record.lines = Self.lines([(0, "aaaa"), (10, "aaaa"), (20, "x")])
    let judge = TrialJudge(record, limits: TrialLimits(), speed: 5)
    let breach = judge.verdicts.first { $0.rule == .token }?.breach
    #expect(breach?.at == .seconds(60))
    #expect(breach?.seen == "the widget still showed token 1 2s of real time after its end")
  }
}
