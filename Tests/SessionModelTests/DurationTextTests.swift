import SessionModel
import Testing

@Suite struct DurationTextTests {
  @Test(arguments: [
    ("30s", Duration.seconds(30)), ("500ms", .milliseconds(500)), ("2m30s", .seconds(150)),
    ("1h", .seconds(3600)), ("1d2h3m4s5ms", .milliseconds(93_784_005)), ("0s", .zero),
    ("90m", .seconds(5400)), ("36525d", .seconds(3_155_760_000)),
  ])
  func readsWhatPeopleWrite(text: String, duration: Duration) throws {
    #expect(try DurationText.parse(text) == duration)
  }

  @Test(arguments: [
    ("30", "its unit is missing"), ("", "a number is missing"), ("s", "a number is missing"),
    ("-3s", "a number is missing"), ("3 s", "\" s\" is not a unit"),
    ("3sec", "\"sec\" is not a unit"), ("1.5h", "\".\" is not a unit"),
    ("30s2m", "its units do not go from the largest to the smallest"),
    ("1s1s", "its units do not go from the largest to the smallest"),
    ("36526d", "it is longer than 100 years"),
    ("99999999999999999999s", "it is longer than 100 years"),
    ("36525d1ms", "it is longer than 100 years"),
  ])
  func refusesAnythingElseWithTheReason(text: String, reason: String) {
    let error = #expect(throws: DurationText.Failure.self) { try DurationText.parse(text) }
    #expect(
      error?.description
        == "\"\(text)\" is not a duration: \(reason); write it like 30s, 2m30s, 500ms or 1h")
  }

  @Test func whatIsRefusedIsShownByNumber() {
    let error = #expect(throws: DurationText.Failure.self) { try DurationText.parse("3\u{1b}[2J") }
    #expect(
      error?.description.hasPrefix(
        #""3\u{1b}[2J" is not a duration: "\u{1b}[" is not a unit;"#) == true)
  }

  @Test(arguments: [
    (Duration.seconds(30), 5, "30s"), (.seconds(150), 5, "2m30s"), (.milliseconds(500), 5, "500ms"),
    (.zero, 5, "0s"), (.microseconds(900), 5, "0s"), (.seconds(-90), 5, "-1m30s"),
    (.seconds(93_784), 2, "1d2h"), (.seconds(3605), 2, "1h"), (.seconds(3605), 5, "1h5s"),
    (.milliseconds(59_999), 1, "59s"), (.milliseconds(93_784_005), 5, "1d2h3m4s5ms"),
  ])
  func writesTheShortestText(duration: Duration, parts: Int, text: String) {
    #expect(DurationText.format(duration, parts: parts) == text)
  }

  @Test(arguments: [
    (Duration.milliseconds(28_447), "29s"), (.seconds(28), "28s"), (.milliseconds(1), "1s"),
    (.zero, "1s"), (.seconds(-3), "1s"), (.milliseconds(-500), "1s"),
    (.milliseconds(59_001), "1m"), (.milliseconds(90_000), "1m30s"),
  ])
  func aWaitIsInWholeSecondsAndNeverTooShort(duration: Duration, text: String) {
    #expect(DurationText.wait(duration) == text)
  }

  @Test(arguments: [1, 999, 1000, 61_001, 3_600_000, 86_399_999, 86_400_000, 987_654_321])
  func readsBackWhatItWrote(milliseconds: Int) throws {
    let duration = Duration.milliseconds(milliseconds)
    #expect(try DurationText.parse(DurationText.format(duration)) == duration)
  }
}
