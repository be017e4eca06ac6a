import DevelopmentProvider
import TestSupport
import Testing

/// A host that is killed between the provider's answer and its own memory of it.
@Suite(.timeLimit(.minutes(3)))
struct CutOffSignInTests {
  @Test func aGrantThatNobodyHasIsToldOfByTheNextHost() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    let told = machine.root.file("told")
    try machine.configure(
      issuer: provider.issuer,
      #"onError = ["/bin/sh", "-c", "echo $TOKENVAULT_MESSAGE >>'\#(told)'; echo >'\#(told)-1'"]"#)
    let first = try await machine.startHost()
    // Carried out; the answer is held back.
    provider.hang(at: .token)
    let requests = provider.count(of: .token)
    let signIn = Task { try await machine.signIn() }
    try await provider.waitForRequests(requests + 1, at: .token)
    #expect(provider.counts.grants == 1)
    first.kill()
    _ = await first.result()
    #expect(try await signIn.value.status == 69)
    provider.setFaults([])

    let text = "a sign-in was cut off before the provider's answer came"
    let second = try await machine.startHost()
    // It may have come before the host was ready.
    _ = try await second.error.wait { $0.contains { $0.contains("primary: \(text)") } }
    while !TestFile.exists(told + "-1") { await Task.yield() }
    #expect(try TestFile.text(told).hasPrefix(text))
    #expect(await machine.end(second).status == 0)
    #expect(provider.counts.revocations == 0, "nothing is left to revoke it by")
    let third = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let result = await machine.end(third)
    #expect(!result.error.contains(text), "once")
    #expect(result.status == 0)
  }
}
