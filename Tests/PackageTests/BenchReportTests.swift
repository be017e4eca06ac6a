import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BenchReportTests {
  private static let bench = "\(PackageLayout.root)/Tests/Bench"

  /// One row of the report for a description of the row and samples, as `jq` prints it.
  private static func row(_ description: String, samples: String) async throws -> String {
    try await withTemporaryDirectory { directory in
      let rows = try directory.write("[\(description)]", to: "rows.json")
      let samples = try directory.write(samples, to: "samples")
      let result = try await ToolRunner.runSuccessfully(
        ToolRequest(
          "jq",
          [
            "-n", "-c", "--slurpfile", "rows", rows, "--rawfile", "samples", samples,
            "-f", "\(bench)/report.jq",
          ]))
      return result.output
    }
  }

  private static func description(_ target: String, take: String = "") -> String {
    """
    {"name": "r", "unit": "ms", "scale": 1000, "series": "own", "floor": "low", \(take)
     "peers": {"other": "other", "same": "same"}, "target": [\(target)]}
    """
  }

  @Test func mediansAndTheirRatioComeFromTheSamples() async throws {
    let row = try await Self.row(
      Self.description(#"{"atMost": 3}"#),
      samples: "own 3000\nlow 1000\nown 1000\nown 2000\nlow 1000\nother 5000\n")
    #expect(
      row == #"[{"name":"r","median":2,"unit":"ms","floor":1,"ratioToFloor":2,"#
        + #""peers":{"other":5,"same":null},"target":"≤ 3","met":true}]"# + "\n")
  }

  @Test(arguments: [
    (#"{"atMost": 2}"#, "true"), (#"{"atMost": 1.9}"#, "false"),
    (#"{"timesFloor": 2}"#, "true"), (#"{"timesFloor": 1.9}"#, "false"),
    (#"{"peer": "other", "timesPeer": 0.4}"#, "true"),
    (#"{"peer": "other", "timesPeer": 0.3}"#, "false"),
    (#"{"atMost": 2}, {"timesFloor": 1.9}"#, "false"),
    (#"{"peer": "nobody", "timesPeer": 1}"#, "null"),
    (#"{"atMost": 2}, {"peer": "nobody", "timesPeer": 1}"#, "null"),
    (#"{"atMost": 1}, {"peer": "nobody", "timesPeer": 1}"#, "false"),
    (#"{"peer": "same", "timesPeer": 1}"#, "false"),
    (#"{"peer": "other", "timesPeer": 1}"#, "true"),
    (#"{"peer": "same", "timesPeer": 2}"#, "true"),
  ])
  func aTargetIsMetWhenEachOfItsClausesIs(target: String, met: String) async throws {
    let row = try await Self.row(
      Self.description(target), samples: "own 2000\nlow 1000\nother 5000\nsame 2000\n")
    #expect(row.hasSuffix("\"met\":\(met)}]\n"), "\(row)")
  }

  @Test func theWorstSampleCountsWhereTheRowSaysSo() async throws {
    let row = try await Self.row(
      Self.description(#"{"atMost": 1}"#, take: #""take": "most","#),
      samples: "own 1000\nown 1000\nown 2000\n")
    #expect(row.contains(#""median":2,"#) && row.hasSuffix("\"met\":false}]\n"), "\(row)")
  }

  @Test func whatWasNotMeasuredIsNeitherMetNorMissed() async throws {
    let row = try await Self.row(Self.description(#"{"atMost": 1}"#), samples: "")
    #expect(
      row == #"[{"name":"r","median":null,"unit":"ms","floor":null,"ratioToFloor":null,"#
        + #""peers":{"other":null,"same":null},"target":"≤ 1","met":null}]"# + "\n")
  }

  @Test func theTableSaysPlainlyWhatWasMissedAndWhatIsNotThere() async throws {
    let rows = """
      [{"name": "fast", "median": 1.234, "unit": "µs", "floor": 1, "ratioToFloor": 1.234,
        "peers": {"other": null}, "target": "≤ 2", "met": true},
       {"name": "slow", "median": 1234.5, "unit": "µs", "floor": null, "ratioToFloor": null,
        "peers": {}, "target": "≤ 2", "met": false}]
      """
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest("jq", ["-r", "-f", "\(Self.bench)/table.jq"], input: .text(rows)))
    #expect(
      result.output == """
        row   median  unit  floor  × floor  peers                target  met
        fast    1.23  µs        1     1.23  other not available  ≤ 2     yes
        slow    1235  µs        -        -                       ≤ 2     MISSED

        """)
  }

  @Test(arguments: [(99, "99"), (100, "99"), (101, "100"), (1, "1")])
  func theHighestHundredthIsLeftOut(count: Int, value: String) async throws {
    let samples = (1...count).map { "own \($0)000\n" }.joined()
    let row = try await Self.row(
      Self.description(#"{"atMost": 98}"#, take: #""take": "p99","#), samples: samples)
    #expect(row.contains(#""median":\#(value),"#), "\(row)")
    #expect(row.contains(#""met":\#(count == 1)"#), "\(row)")
  }
}
