import DevelopmentProvider
import Glibc
import SessionModel
import SnapshotFormat
import TestSupport
import Testing

/// Widgets under strace(1), in a namespace whose issuer counts what reaches it.
@Suite(.timeLimit(.minutes(2))) struct NetworkSilenceTests {
  /// A state that a test brings about, by the two words that tell of it.
  private struct Step: Sendable {
    let session: SessionState
    var host = HostCondition.reported(.ok)
    let publish: @Sendable (PublishedVault) throws -> Void
  }

  private static let steps: [Step] = [
    Step(session: .valid) { try $0.publish() },
    Step(session: .valid, host: .reported(.offline)) { try $0.publish(hostState: .offline) },
    Step(session: .valid, host: .reported(.locked)) { try $0.publish(hostState: .locked) },
    Step(session: .expiryUnknown) { try $0.publish(expiresIn: nil) },
    Step(session: .expired, host: .reported(.renewing)) {
      try $0.publish(expiresIn: .seconds(-5), hostState: .renewing)
    },
    Step(session: .reauthenticationRequired(.invalidGrant)) {
      try $0.publish(.reauthenticationRequired(.invalidGrant))
    },
    Step(session: .corrupt) {
      let file = "\($0.namespacePath)/session"
      try TestFile.write(Array("TVSNAP".utf8), to: file + ".new")
      try TestFile.rename(file + ".new", to: file)
    },
    Step(session: .signedOut) { try $0.publish(.signedOut) },
    Step(session: .valid, host: .stale) { try $0.publish(nextPublicationIn: .zero) },
  ]

  /// Has strace(1) write down the calls of a program that belong to the network.
  private static func traced(
    _ words: [String], _ published: PublishedVault, log: String
  ) -> ToolRequest {
    ToolRequest(
      "strace",
      [
        "-f", "-o", published.temporary.file(log), "-e", "trace=%network", "sh", "-c",
        "echo $$; exec \"$@\"", "sh", PackageLayout.product(words[0]),
      ] + words.dropFirst(),
      environment: [
        "PATH": Environment.searchPath, "HOME": published.temporary.path,
        "TOKENVAULT_RUNTIME_DIR": published.path,
      ])
  }

  /// The sockets that a program has made, by the log of its calls; it has to have ended.
  private static func sockets(in log: String) throws -> [Substring] {
    let lines = try TestFile.text(log).split(separator: "\n")
    #expect(lines.last?.hasSuffix("+++") == true, "strace has seen the end")
    #expect(!lines.contains { $0.contains("AF_INET") })
    return lines.filter { $0.contains("socket(") }
  }

  @Test(arguments: [["terminal-panel"], ["tokenvault", "watch", "--format", "json"]])
  func wg03AWidgetReachesNobodyInAnyState(words: [String]) async throws {
    let trap = try LoopbackProvider()
    let published = try PublishedVault(issuer: trap.issuer)
    let widget = try RunningTool(Self.traced(words, published, log: "trace"))
    // strace(1) itself takes no signal while it traces.
    let process = try #require(Int32(try await widget.output.next()))
    defer { kill(process, SIGKILL) }
    try await widget.output.next { $0.contains("absent") }
    let lock = try published.holdHostLock()
    for step in Self.steps {
      try step.publish(published)
      try await widget.output.next {
        $0.contains(step.session.word) && $0.contains(step.host.word)
      }
    }
    kill(process, SIGTERM)
    _ = await widget.result()
    #expect(try Self.sockets(in: published.temporary.file("trace")) == [])
    #expect(trap.requests.isEmpty)
    withExtendedLifetime(lock) {}
  }

  @Test func wg03WhoeverAsksForATokenAsksAtMostTheHost() async throws {
    let trap = try LoopbackProvider()
    let published = try PublishedVault(issuer: trap.issuer)
    let lock = try published.holdHostLock()
    var askedHost = 0
    for (number, step) in Self.steps.enumerated() {
      try step.publish(published)
      for words in [["token", "--valid-for", "30s"], ["status", "--json"]] {
        let log = "trace-\(number)-\(words[0])"
        _ = try await ToolRunner.run(Self.traced(["tokenvault"] + words, published, log: log))
        let sockets = try Self.sockets(in: published.temporary.file(log))
        #expect(sockets.allSatisfy { $0.contains("socket(AF_UNIX, ") }, "\(sockets)")
        askedHost += sockets.isEmpty ? 0 : 1
      }
    }
    #expect(askedHost > 0, "strace shows sockets where there are some")
    #expect(trap.requests.isEmpty)
    withExtendedLifetime(lock) {}
  }
}
