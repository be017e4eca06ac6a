import DevelopmentProvider
import Glibc
import TestSupport
import Testing

/// The host under what its units forbid: their system call filters and the rest of their seccomp.
@Suite(.timeLimit(.minutes(2)))
struct UnitFilterTests {
  private static let underUnit = "\(PackageLayout.root)/Tests/Service/under-unit"
  private static let units = ["user/tokenvault-host.service", "system/tokenvault.service"]

  private static func path(_ unit: String) -> String { "\(PackageLayout.root)/Service/\(unit)" }

  @Test func sv05TheHostSignsInRenewsAndSignsOutUnderItsUserUnit() async throws {
    let provider = try LoopbackProvider.approving(lifetime: .seconds(4))
    let machine = try HostMachine()
    try machine.configure(
      issuer: provider.issuer, "onError = [\"/bin/sh\", \"-c\", \"true\"]")
    let program = machine.request("tokenvault-host", []).program
    let host = try RunningTool(
      ToolRequest(
        Self.underUnit, [Self.path(Self.units[0]), program], environment: machine.environment))
    try await host.error.next { $0 == "tokenvault-host: ready" }
    #expect(try await machine.signIn().status == 0)
    #expect(try await machine.vault("token").status == 0)
    try await provider.waitForRequests(provider.count(of: .token) + 2, at: .token)
    #expect(try await machine.vault("sign-out").status == 0)
    #expect(provider.counts.revocations == 1)
    let result = await machine.end(host)
    #expect(result.status == 0)
    #expect(!result.error.contains("EPERM"), "\(result.error)")
  }

  @Test(.enabled(if: ServiceMachine.isPossible, ServiceMachine.requirement))
  func sv05TheHostSignsInAndRenewsForOtherUsersUnderTheSystemsUnit() async throws {
    let provider = try LoopbackProvider.approving(lifetime: .seconds(4))
    let machine = try await ServiceMachine.start()
    try machine.configure(
      """
      [accessGroups.default]
      unixGroup = "tv-readers"
      [namespaces.primary]
      issuer = "\(provider.issuer)"
      clientId = "desktop"
      scopes = ["openid", "offline_access"]
      """)
    let host = try await machine.startHost(behind: [
      "/usr/bin/python3", "-c", try TestFile.text(Self.underUnit),
      try machine.copyOfUnit(),
    ])
    #expect(try await machine.signIn().status == 0)
    let token = try await machine.vault("token", by: ServiceMachine.member)
    #expect(token.status == 0, "\(token.error)")
    try await provider.waitForRequests(provider.count(of: .token) + 2, at: .token)
    #expect(
      try await machine.status(of: "/run/tokenvault/groups/default/ns/primary/session")
        == "54320:54321 640")
    let result = await machine.end(host)
    #expect(result.status == 0)
    #expect(!result.error.contains("EPERM"), "\(result.error)")
  }

  // ptrace, unshare, mprotect, a packet socket and chmod g+s, each with the errno that it ends with.
  private static let attempts = """
    import ctypes
    library = ctypes.CDLL(None, use_errno=True)
    def attempt(call, *arguments):
        ctypes.set_errno(0)
        getattr(library, call)(*arguments)
        print(call, ctypes.get_errno(), flush=True)
    attempt("unshare", 0x20000)
    attempt("mprotect", 0, 4096, 5)
    attempt("socket", 17, 3, 0)
    attempt("chmod", b"/nonexistent/x", 0o2750)
    attempt("chown", b"/nonexistent/x", 0, 0)
    attempt("ptrace", 0, 0, 0, 0)
    """

  // A shared directory of a Unix group needs chmod g+s and chown.
  @Test(arguments: [(units[0], EPERM), (units[1], ENOENT)])
  func sv05WhatTheFilterDoesNotNameIsRefused(unit: String, shared: Int32) async throws {
    let result = try await ToolRunner.run(
      ToolRequest(Self.underUnit, [Self.path(unit), "python3", "-c", Self.attempts]))
    #expect(
      result.output == """
        unshare 1
        mprotect 1
        socket 97
        chmod \(shared)
        chown \(shared)
        ptrace 1

        """, "\(result.error)")
    let free = try await ToolRunner.run(ToolRequest("python3", ["-c", Self.attempts]))
    #expect(free.output.hasSuffix("chmod 2\nchown 2\nptrace 0\n"), "\(free)")
  }
}
