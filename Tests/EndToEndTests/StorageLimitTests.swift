import DevelopmentProvider
import Glibc
import TestSupport
import Testing

/// The built host on a disk that is full, read-only or out of inodes, and without memory.
@Suite(.timeLimit(.minutes(3)))
struct StorageLimitTests {
  /// How the state's file system is taken away and given back, as shell commands in its directory.
  private static let faults = [
    ("full", "head -c 16M /dev/zero >fill 2>/dev/null; true", "rm fill"),
    ("inodes", "i=0; while touch i$i 2>/dev/null; do i=$((i+1)); done", "rm i*"),
    ("read-only", "mount -o remount,ro $PWD", "mount -o remount,rw $PWD"),
  ]

  @Test(.enabled(if: geteuid() == 0, "only root can mount"), arguments: faults)
  func st10AndSt11AHostWhoseDiskFailsGoesOnWhenItIsMended(
    name: String, breaking: String, mending: String
  ) async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    #expect(try await machine.host("--once").status == 0, "everything is made")
    // Not the state itself: its lock is open for writing, which keeps it from becoming read-only.
    let state = machine.root.file("state/store/session")
    let program = machine.request("tokenvault-host", []).program
    // A mount of its own, which goes with the host's namespace.
    let mount = "mount -t tmpfs -o size=1m,nr_inodes=200,mode=0700 none '\(state)'"
    let host = try RunningTool(
      ToolRequest(
        "unshare", ["--mount", "sh", "-c", "\(mount) && exec '\(program)'"],
        environment: machine.environment))
    try await host.error.next { $0 == "tokenvault-host: ready" }
    #expect(try await machine.signIn().status == 0)
    let token = try await machine.vault("token").output
    func inside(_ script: String) async throws {
      try await ToolRunner.runSuccessfully(
        ToolRequest(
          "nsenter",
          ["--mount", "--target", "\(host.identifier)", "sh", "-c", "cd '\(state)' && \(script)"]))
    }
    try await inside(breaking)
    // A second passes before a person may hurry the host on.
    var refused = try await machine.vault("renew", "primary")
    while refused.status == 0 { refused = try await machine.vault("renew", "primary") }
    #expect(refused.status == 73, "\(refused.error)")
    let said = try await machine.vault("status", "--json").output
    #expect(said.contains("\"session\":\"valid\",\"host\":\"storage-failed\""), "\(said)")
    #expect(try await machine.vault("token", "--no-renew").output == token)
    #expect(host.isRunning)
    try await inside(mending)
    try await host.error.next { $0.contains("stored again") }
    while try await machine.vault("renew", "primary").status != 0 {}
    let renewed = try await machine.vault("token")
    #expect(renewed.status == 0)
    #expect(renewed.output != token)
    #expect(provider.counts.reuses == 0)
    #expect(provider.counts.grants == 1)
    #expect(await machine.end(host).status == 0)
  }

  @Test func st15WithoutMemoryForAKeyTheHostEndsWithAReasonAndLosesNothing() async throws {
    let provider = try LoopbackProvider.approving(lifetime: .seconds(1)) {
      $0.rotatesRefreshTokens = false
    }
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let library = machine.root.file("failing-malloc.so")
    try await ToolRunner.runSuccessfully(
      ToolRequest(
        "clang",
        [
          "-shared", "-fPIC", "-O1", "-o", library,
          "\(PackageLayout.root)/Tests/CrashSweep/failing-malloc.c",
        ]))
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    #expect(await machine.end(host).status == 0)
    func once(failingAt number: Int) async throws -> ToolResult {
      try await ToolRunner.run(
        machine.request(
          "tokenvault-host", ["--once"],
          environment: [
            "LD_PRELOAD": library, "FAIL_AT": "\(number)", "CALLS": machine.root.file("calls"),
          ]))
    }
    #expect(try await once(failingAt: 0).status == 0)
    let text = try TestFile.text(machine.root.file("calls"))
    let calls = try #require(Int(text.dropLast()))
    #expect(calls > 10)
    var failures = 0
    for number in 1...calls {
      let result = try await once(failingAt: number)
      guard case .status(let status) = result.exit else {
        Issue.record("call \(number) of \(calls): \(result.exit)\n\(result.error)")
        continue
      }
      failures += status == 0 ? 0 : 1
      #expect(status == 0 || result.error.contains("memory"), "call \(number): \(result.error)")
      let left = try await ToolRunner.runSuccessfully(
        ToolRequest("find", [machine.root.path, "-name", "*.tmp"]))
      #expect(left.output == "", "call \(number)")
    }
    #expect(failures > 0, "a call that fails is noticed")
    let last = try await once(failingAt: 0)
    #expect(last.status == 0, "\(last.error)")
    #expect(provider.counts.grants == 1)
  }
}
