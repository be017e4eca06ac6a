import TestSupport
import Testing

/// A change of the key that is killed, as the next start finds it.
@Suite(.timeLimit(.minutes(1)))
struct KeyChangeTests {
  private typealias Operation = CrashModel.Operation

  @Test func aNewKeyIsDurableBeforeTheStoreOfTheFormerOneGoes() async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: "http://127.0.0.1:1")
    let configuration = String(decoding: try machine.root.read("config.toml"), as: UTF8.self)
    _ = await machine.end(try await machine.startHost())
    let key = try await machine.host("new-key")
    try machine.root.write(key.output, to: "printed-key", mode: 0o600)
    try machine.root.write(
      "keyCommand = [\"cat\", \"\(machine.root.file("printed-key"))\"]\n" + configuration,
      to: "config.toml")
    // From here on each change does the same.
    #expect(try await machine.host("rekey").status == 0)
    // The whole of it shows which of its calls comes behind the rename of the key.
    let whole = try await Self.trace(["rekey"], on: machine)
    let renamed = try #require(whole.firstIndex(of: Self.keyRename(machine)))
    let number = whole[..<renamed].count { $0.synchronized != nil } + 1
    let killed = try await Self.trace(
      ["rekey"], on: machine, inject: "fsync:signal=KILL:when=\(number)")
    // The call itself is in the log, and was not carried out.
    #expect(
      Array(killed.suffix(2)) == [
        Self.keyRename(machine), .synchronize(machine.root.file("keys")),
      ])

    let started = try await Self.trace(["--once"], on: machine)
    let durable = try #require(started.firstIndex(of: .synchronize(machine.root.file("keys"))))
    let gone = try #require(
      started.firstIndex {
        if case .rename(machine.root.file("state/store"), _) = $0 { true } else { false }
      })
    #expect(durable < gone)
    #expect(TestFile.names(in: machine.root.file("state")).sorted() == ["host.lock", "store"])
  }

  private static func keyRename(_ machine: HostMachine) -> Operation {
    .rename(
      machine.root.file("keys/master.key.next"), to: machine.root.file("keys/master.key"))
  }

  /// Runs the host to its end and returns what it did to files.
  private static func trace(
    _ arguments: [String], on machine: HostMachine, inject: String? = nil
  ) async throws -> [Operation] {
    let log = machine.root.file("trace")
    _ = try await ToolRunner.run(
      ToolRequest(
        "strace",
        ["-f", "-yy", "-s", "0", "-o", log, "-e", "trace=" + FileTrace.calls]
          + (inject.map { ["-e", "inject=" + $0] } ?? [])
          + [machine.request("tokenvault-host", []).program] + arguments,
        environment: machine.environment, limit: .seconds(30)))
    return try FileTrace.operations(
      in: TestFile.text(log), home: machine.root.path, runtime: machine.root.file("run"))
  }
}
