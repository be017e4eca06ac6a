import FileSupport
import TestSupport
import Testing

/// What the built `tokenvault` says of a host that is not there, or that goes in the middle.
@Suite(.timeLimit(.minutes(2)))
struct SilentHostTests {
  /// A control socket whose host hangs up behind the first request.
  private static func withLeavingHost(
    _ body: (HostMachine) async throws -> Void
  ) async throws {
    let machine = try HostMachine()
    let directory = try Directory.create(path: machine.root.file("run"), policy: .ownerOnly)
    let listener = try UnixSocket.listen("host.sock", in: directory)
    let number = listener.rawValue
    try TestThread.start("leaving host") {
      guard let connection = try? UnixSocket.accept(on: number) else { return }
      _ = try? waitForInput([connection.rawValue], timeout: .seconds(20))
    }
    try await body(machine)
    _ = listener.rawValue
  }

  @Test(arguments: ["sign-out", "renew", "sign-in"])
  func whatAHostThatLeftHasDoneIsNotKnown(command: String) async throws {
    try await Self.withLeavingHost { machine in
      let result = try await machine.vault(command, "primary")
      #expect(result.status == 69)
      #expect(
        result.error
          == "tokenvault: error: the host closed the connection without a complete answer; its log"
          + " says why; whether it did what was asked is not known; run: tokenvault status\n")
    }
  }

  @Test(arguments: [
    ("sign-out", "; nothing changed; without it: tokenvault-host --sign-out primary"),
    ("renew", "; nothing changed"), ("sign-in", "; nobody was signed in"),
  ])
  func withoutAHostNothingChanged(command: String, consequence: String) async throws {
    let machine = try HostMachine()
    let result = try await machine.vault(command, "primary")
    #expect(result.status == 69)
    #expect(
      result.error
        == "tokenvault: error: no host listens at \(machine.root.file("run/host.sock"));"
        + " start it with: tokenvault-host\(consequence)\n")
  }

  @Test func theLastLineOfASignInIsAnEventWithoutAHostToo() async throws {
    let machine = try HostMachine()
    let result = try await machine.vault("sign-in", "primary", "--json")
    #expect(result.status == 69)
    let last = String(result.output.split(separator: "\n").last ?? "")
    #expect(
      last.hasPrefix(#"{"event":"failed","reason":"host-unreachable","message":"no host listens"#),
      "\(result.output)")
  }

  @Test func theLastLineOfASignInIsAnEventWhenTheHostLeaves() async throws {
    try await Self.withLeavingHost { machine in
      let result = try await machine.vault("sign-in", "primary", "--json")
      #expect(result.status == 69)
      let last = String(result.output.split(separator: "\n").last ?? "")
      #expect(
        last.hasPrefix(
          #"{"event":"failed","reason":"host-unreachable","message":"the host closed"#),
        "\(result.output)")
    }
  }

  @Test func theLastLineOfAnInterruptedSignInSaysCancelled() async throws {
    let machine = try HostMachine()
    let directory = try Directory.create(path: machine.root.file("run"), policy: .ownerOnly)
    let listener = try UnixSocket.listen("host.sock", in: directory)
    let signIn = try RunningTool(machine.request("tokenvault", ["sign-in", "primary", "--json"]))
    // Once it has asked, it waits for an answer that never comes.
    let number = listener.rawValue
    let connection = try await TestThread.run {
      let connection = try UnixSocket.accept(on: number)
      _ = try waitForInput([connection.rawValue], timeout: .seconds(20))
      return Connection(descriptor: connection)
    }
    signIn.send(signal: 2)
    let result = await signIn.result()
    #expect(result.status == 130)
    #expect(
      result.output
        == #"{"event":"failed","reason":"cancelled","message":"the sign-in of primary was cancelled"}"#
        + "\n")
    withExtendedLifetime((listener.rawValue, connection)) {}
  }

  private final class Connection: Sendable {
    private let descriptor: FileDescriptor
    init(descriptor: consuming FileDescriptor) { self.descriptor = descriptor }
  }
}
