import CommandRuntime
import FileSupport
import SnapshotTesting
import StrictJSON
import Testing

/// A run as a program reads it.
@Suite struct TrialReportTests {
  @Test func theTimelineIsInTheScenariosTimeAndOrder() throws {
    let scenario = try Scenario(parsing: "at 0s valid\nat 10s offline\nat 20s end")
    var record = TrialRecord()
    record.steps = scenario.steps.map { .init(at: $0.time / 5, step: $0) }
    record.sights = [.init(at: .milliseconds(1), condition: .usable, words: "valid, host ok")]
    record.lines = [.init(at: .milliseconds(500), text: "ada")]
    let report = TrialReport(
      WidgetTrial(scenario, command: ["widget"], speed: 5),
      on: Terminal(isTerminal: false, columns: nil, environment: Environment([:])))
    guard case .array(let timeline) = report.json("s", record, [])["timeline"] else {
      Issue.record("no timeline")
      return
    }
    #expect(timeline.compactMap { $0["at"] } == [.real(0), .real(0.005), .real(2.5), .real(10)])
    let texts = timeline.compactMap { $0["step"] ?? $0["state"] ?? $0["text"] }
    #expect(
      texts == [
        .string("valid"), .string("valid, host ok"), .string("ada"), .string("offline"),
      ])
  }
}
