import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2))) struct DemonstrationTests {
  private static func request(in directory: TemporaryDirectory, seconds: Int?) -> ToolRequest {
    var environment = [
      "PATH": Environment.searchPath, "TMPDIR": directory.path,
      "DEMO_PROGRAMS": PackageLayout.products,
    ]
    if let seconds { environment["DEMO_SECONDS"] = "\(seconds)" }
    return ToolRequest("\(PackageLayout.root)/Samples/demo/run", environment: environment)
  }

  /// The processes that were started with this directory for temporary files.
  private static func processes(of directory: TemporaryDirectory) -> [String] {
    TestFile.names(in: "/proc").filter { name in
      let environment = try? TestFile.text("/proc/\(name)/environ")
      return environment?.contains("TMPDIR=\(directory.path)\0") ?? false
    }
  }

  @Test func itEndsByItselfWithWhatItHasSeen() async throws {
    try await withTemporaryDirectory { directory in
      let result = try await ToolRunner.runSuccessfully(Self.request(in: directory, seconds: 20))
      let lines = result.output.split(separator: "\n")
      #expect(lines.contains { $0.contains("current state: valid, host ok") })
      #expect(lines.contains { $0.contains("new snapshot: valid, host ok") })
      #expect(lines.contains { $0.contains("host offline") })
      let summary = try #require(lines.last)
      let words = summary.split(separator: " ")
      #expect(words.starts(with: ["Seen", "in"]) && words.dropFirst(3).first == "s:")
      // A busy machine ends it a little later than asked; never earlier.
      #expect(try (20...30).contains(#require(words.dropFirst(2).first.flatMap { Int($0) })))
      #expect(!summary.contains("rotations 0,"))
      #expect(!summary.contains("survived 0,"))
      #expect(!result.output.contains("reauthentication-required"))
      #expect(summary.hasSuffix("sign-ins 1."))
      #expect(TestFile.names(in: directory.path) == [])
    }
  }

  @Test(arguments: [
    (["--issuer-path", "foo"], "the issuer's path has to begin with a slash"),
    (["--port", "65536"], "the port is not between 0 and 65535"),
    (["--fault", "tokens:1:503"], "there is no endpoint \"tokens\""),
  ])
  func aProviderThatIsWronglyAskedForSaysSo(words: [String], message: String) async throws {
    let result = try await ToolRunner.run(.product("development-provider", words))
    #expect(result.status == 64)
    #expect(result.error.hasPrefix("development-provider: \(message)"), "\(result.error)")
  }

  @Test(arguments: [(SIGINT, 0), (SIGTERM, 143), (SIGHUP, 129)] as [(Int32, Int32)])
  func aSignalEndsItAndNothingIsLeft(signal: Int32, status: Int32) async throws {
    try await withTemporaryDirectory { directory in
      let demonstration = try RunningTool(Self.request(in: directory, seconds: nil))
      _ = try await demonstration.output.next { $0.contains("current state") }
      demonstration.send(signal: signal)
      let result = await demonstration.result()
      #expect(result.status == status)
      #expect(TestFile.names(in: directory.path) == [])
      #expect(Self.processes(of: directory) == [])
    }
  }
}
