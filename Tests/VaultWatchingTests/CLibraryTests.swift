import FileSupport
import SessionModel
import SnapshotFormat
import StatusBar
import TestSupport
import Testing
import VaultReader

/// The library for other languages as it is shipped, used by programs that know its header alone.
@Suite(.timeLimit(.minutes(2)), .enabled(if: PackageLayout.library != nil)) struct CLibraryTests {
  private let published: PublishedVault

  init() throws { published = try PublishedVault() }

  @Test(arguments: CLibrary.Language.allCases)
  func aTokenIsReadAndWhatStandsInItsWayIsSaid(_ language: CLibrary.Language) async throws {
    let program = try await CLibrary.shared.program(in: language)
    #expect(
      try await run(program, "token", "primary", "0") == [
        "2 no snapshot is published", "-",
        "no snapshot of primary is published for the access group default;"
          + " start the host: tokenvault-host; then run: tokenvault sign-in primary",
      ])
    let lock = try published.holdHostLock()
    try published.publish(expiresIn: .seconds(100))
    #expect(
      try await run(program, "token", "primary", "30000") == [
        "0 success", "access-token-sentinel", "-",
      ])
    #expect(try await run(program, "token", "primary", "-1")[0] == "0 success")
    let short = try await run(program, "token", "primary", "3600000")
    #expect(short[0] == "6 the access token is good for less than was asked for")
    #expect(short[1] == "-")
    #expect(short[2].hasPrefix("the access token of primary is good for "))
    try published.publish(expiresIn: nil)
    #expect(try await run(program, "token", "primary", "-1")[0] == "0 success")
    #expect(try await run(program, "token", "primary", "0")[0].hasPrefix("7 "))
    try published.publish(.signedOut)
    #expect(try await run(program, "token", "primary", "0")[0] == "3 the person signed out")
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: CLibrary.Language.allCases)
  func theStateIsToldWithWhatToDoNext(_ language: CLibrary.Language) async throws {
    let program = try await CLibrary.shared.program(in: language)
    let lock = try published.holdHostLock()
    let generation = try published.publish(expiresIn: .seconds(1000), hostState: .offline)
    let lines = try await run(program, "state", "primary")
    #expect(
      lines.filter { line in
        !["published-at", "next-publication-by", "expires-"].contains { line.hasPrefix($0) }
      } == [
        "session 1 valid", "host 3 offline", "change 0", "generation \(generation)",
        "issuer https://id.example", "account ada@id.example",
        "reason the host cannot reach the provider and goes on trying",
        "next-step look at the network, or wait",
      ])
    let times = Dictionary(
      lines.map { line in
        let words = line.split(separator: " ", maxSplits: 1)
        return (String(words[0]), Int64(words[1]))
      }, uniquingKeysWith: { $1 })
    let (publishedAt, expiresAt) = (times["published-at"] ?? nil, times["expires-at"] ?? nil)
    #expect(try #require(expiresAt) - (try #require(publishedAt)) == 1000)
    let nextPublicationBy = times["next-publication-by"] ?? nil
    #expect(try #require(nextPublicationBy) - (try #require(publishedAt)) == 4000)
    let left = try #require(times["expires-in"] ?? nil)
    #expect(left > 900_000 && left <= 1_000_000)
    withExtendedLifetime(lock) {}
  }

  @Test func theOtherStatesAreToldToo() async throws {
    let program = try await CLibrary.shared.program(in: .c)
    #expect(
      try await run(program, "state", "primary").prefix(2) == ["session 7 absent", "host 7 stale"])
    #expect(
      try await run(program, "state", "primary").contains("next-publication-by \(Int64.min)"))
    try published.publish(expiresIn: .seconds(-5))
    #expect(
      try await run(program, "state", "primary").prefix(2) == ["session 3 expired", "host 7 stale"])
    try published.publish(.reauthenticationRequired(.invalidGrant))
    #expect(
      try await run(program, "state", "primary").contains(
        "reason primary has to sign in again: the provider has ended the session"))
    try TestFile.setMode(0o644, of: published.namespacePath + "/session")
    #expect(try await run(program, "state", "primary")[0] == "session 12 permission")
    #expect(try await run(program, "state", "no/name") == ["1"])
  }

  @Test(arguments: CLibrary.Language.allCases)
  func aChangeMakesTheDescriptorReadable(_ language: CLibrary.Language) async throws {
    let program = try await CLibrary.shared.program(in: language)
    let lock = try published.holdHostLock()
    try published.publish()
    let tool = try RunningTool(request(program, "watch", "primary", "3"))
    try await expectState(
      of: tool, 1, ["session 1 valid", "host 1 ok", "change 0", "generation 1"])
    try published.publish(account: 6)
    try await expectState(
      of: tool, 2, ["session 1 valid", "host 1 ok", "change 2", "generation 2"])
    try published.publish(.signedOut)
    try await expectState(
      of: tool, 3, ["session 5 signed-out", "host 1 ok", "change 1", "generation 3"])
    #expect(await tool.result().exit == .status(0))
    withExtendedLifetime(lock) {}
  }

  /// A token that ends is a change that no file shows.
  @Test func timeAloneMakesTheDescriptorReadable() async throws {
    let program = try await CLibrary.shared.program(in: .c)
    let lock = try published.holdHostLock()
    try published.publish(expiresIn: .seconds(3))
    // Good, good for less than the margin, at its end.
    let result = try await ToolRunner.run(request(program, "watch", "primary", "3"))
    #expect(result.exit == .status(0))
    #expect(
      result.output.split(separator: "\n").filter { $0.hasPrefix("session") }.last
        == "session 3 expired")
    withExtendedLifetime(lock) {}
  }

  @Test(arguments: CLibrary.Language.allCases)
  func whatIsMisusedSaysSoAndCrashesNothing(_ language: CLibrary.Language) async throws {
    #expect(try await run(CLibrary.shared.program(in: language), "misuse") == [])
  }

  @Test func manyThreadsMayUseOneVault() async throws {
    try published.publish()
    #expect(try await run(CLibrary.shared.program(in: .c), "threads", "primary") == [])
  }

  /// What is not freed in the order of the header, or is read after its end, shows here.
  @Test(arguments: [["token", "primary", "0"], ["watch", "primary", "1"], ["misuse"]])
  func memoryIsUsedAsItShouldBe(_ words: [String]) async throws {
    try published.publish()
    let program = try await CLibrary.shared.program(in: .c)
    var request = request("valgrind")
    request.arguments =
      [
        "-q", "--error-exitcode=9", "--leak-check=full", "--errors-for-leak-kinds=definite",
        program,
      ]
      + words
    let result = try await ToolRunner.run(request)
    #expect(result.exit == .status(0), "\(result.error)")
  }

  @Test func thePanelInPythonShowsTokenAndStates() async throws {
    try await CLibrary.shared.install()
    let panel = PackageLayout.root + "/Samples/python-panel/panel.py"
    let lock = try published.holdHostLock()
    let nobody = try await ToolRunner.run(request(panel, "--token"))
    #expect(nobody.exit == .status(1))
    #expect(
      nobody.error == "panel: no snapshot of primary is published for the access group default;"
        + " run: tokenvault sign-in primary\n")
    try published.publish()
    #expect(try await run(panel, "--token") == ["access-token-sentinel"])
    let tool = try RunningTool(request(panel))
    #expect(
      try await tool.output.wait(count: 1)[0] == "valid, 60 min (ada@id.example, host ok)")
    try published.publish(.signedOut, account: nil)
    #expect(
      try await tool.output.wait(count: 2)[1]
        == "signed-out (nobody, host ok) primary is signed out;"
        + " run: tokenvault sign-in primary")
    tool.kill()
    withExtendedLifetime(lock) {}
  }

  /// The samples in Python and the bars say alike how much a state matters.
  @Test func aStateMattersAsMuchInPythonAsInABar() async throws {
    try await CLibrary.shared.install()
    let sessions: [SessionState] = [
      .absent, .valid, .expiring, .expired, .expiryUnknown, .signedOut,
      .reauthenticationRequired(.invalidGrant), .keyUnavailable, .corrupt, .storage(errno: 5),
    ]
    let hosts: [HostCondition] = [
      .reported(.ok), .reported(.renewing), .reported(.offline),
      .reported(.waiting(until: UnixTime(rawValue: 5))), .reported(.storageFailed),
      .reported(.locked), .stale, .unknown,
    ]
    let pairs = sessions.flatMap { session in hosts.map { (session, $0) } }
    let states = pairs.map { "{'session_word': '\($0.0.word)', 'host_word': '\($0.1.word)'}" }
    let program = """
      import sys; sys.path.append('\(PackageLayout.root)/Samples/python-panel')
      from tokenvault import severity
      for state in (\(states.joined(separator: ", "))): print(severity(state))
      """
    let found = try await run("python3", "-c", program)
    let expected = pairs.map { session, host in
      BarState(namespace: "primary", session: session, host: host).condition.severity.rawValue
    }
    for (number, state) in states.enumerated() {
      #expect(found[number] == expected[number], "\(state)")
    }
  }

  private func request(_ program: String, _ words: String...) -> ToolRequest {
    var request = ToolRequest(program, words)
    request.environment["TOKENVAULT_RUNTIME_DIR"] = published.path
    request.environment["LD_LIBRARY_PATH"] = CLibrary.shared.directory.path
    request.environment["LC_ALL"] = "C.UTF-8"
    return request
  }

  private func run(_ program: String, _ words: String...) async throws -> [String] {
    var request = request(program)
    request.arguments = words
    let result = try await ToolRunner.runSuccessfully(request)
    #expect(result.error == "")
    return result.output.split(separator: "\n").map(String.init)
  }

  /// Waits for the number-th state that a program shows, in eleven lines.
  private func expectState(
    of tool: RunningTool, _ number: Int, _ expected: [String]
  ) async throws {
    let lines = try await tool.output.wait(count: number * 12)
    #expect(lines.dropFirst((number - 1) * 12).prefix(expected.count) == expected[...])
  }
}
