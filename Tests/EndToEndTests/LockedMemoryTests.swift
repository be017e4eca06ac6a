import DevelopmentProvider
import FileSupport
import SecretMemory
import SecureStore
import TestSupport
import Testing

/// What is left of the keys in the host's memory once it is locked.
@Suite(.timeLimit(.minutes(2)))
struct LockedMemoryTests {
  @Test func mm04NoKeyIsInTheMemoryOfALockedHost() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let sentinels = try Self.keys(of: machine)
    let before = try ProcessMemory.read(host.identifier)
    #expect(sentinels.contains { before.contains($0) }, "the search finds what an open host has")
    #expect(try await machine.vault("lock").status == 0)
    let after = try ProcessMemory.read(host.identifier)
    for sentinel in sentinels { #expect(!after.contains(sentinel)) }
    #expect(try await machine.vault("renew").status == 77)
    #expect(try await machine.vault("unlock").status == 0)
    #expect(try await machine.vault("renew").status == 0)
    _ = await machine.end(host)
  }

  /// The key of the file as it stands there, and keys that are derived from it.
  private static func keys(of machine: HostMachine) throws -> [[UInt8]] {
    let directory = try Directory.open(path: machine.root.file("keys"), policy: .ownerOnly)
    guard let master = try MasterKey.load(from: directory, machine: machineIdentifier()) else {
      return []
    }
    let raw = Array(try machine.root.read("keys/master.key")[17...])
    return [
      raw, try master.subkey("TVstores").copiedBytes(), try master.subkey("TVlatchk").copiedBytes(),
      try master.subkey("TVboxmas").copiedBytes(),
    ]
  }
}
