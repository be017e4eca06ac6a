import FileSupport
import SessionModel
import SnapshotTesting
import TestSupport
import Testing
import VaultReader

/// The directory of a simulation.
@Suite struct SimulatedVaultTests {
  @Test func itIsLaidOutAsTheHostDoesIt() throws {
    let simulation = try SimulatedVault(accessGroup: try #require(AccessGroup("bots")))
    let namespace = try #require(Namespace("work"))
    try simulation.show(.valid(for: .seconds(60)), namespace: namespace)
    let path = simulation.path
    for (name, mode) in [
      ("", 0o700), ("/host.lock", 0o600), ("/groups", 0o700), ("/groups/bots", 0o700),
      ("/groups/bots/key", 0o600), ("/groups/bots/ns", 0o700), ("/groups/bots/ns/work", 0o700),
      ("/groups/bots/ns/work/session", 0o600),
    ] as [(String, UInt32)] {
      #expect(try TestFile.mode(of: path + name) == mode, "\(name)")
    }
    #expect(TestFile.names(in: path + "/groups/bots") == ["key", "ns"])
    #expect(TestFile.names(in: path + "/groups/bots/ns/work") == ["session"])
    #expect(try TestFile.read(path + "/groups/bots/key").count == 48)
  }

  @Test func aReaderOfTheEnvironmentFindsIt() throws {
    let simulation = try SimulatedVault(time: .system)
    try simulation.show(.valid(for: .seconds(60)))
    #expect(simulation.environment["TOKENVAULT_RUNTIME_DIR"] == simulation.path)
    #expect(
      simulation.environment.keys.sorted() == [
        "TOKENVAULT_KEY_DIR", "TOKENVAULT_RUNTIME_DIR", "TOKENVAULT_STATE_DIR",
      ])
    let vault = TokenVault(
      accessGroup: .default,
      directories: VaultDirectories(environment: Environment(simulation.environment), user: 1))
    #expect(try vault.accessToken() == simulation.tokens[0].text)
  }

  @Test func itsOwnDirectoryGoesAwayWithIt() throws {
    var simulation: SimulatedVault? = try SimulatedVault()
    let path = try #require(simulation?.path)
    for state in [SimulatedState.fifo, .symbolicLink, .valid(for: .seconds(1))] {
      try simulation?.show(state)
    }
    #expect(TestFile.exists(path))
    simulation = nil
    #expect(!TestFile.exists(path))
    #expect(!TestFile.exists(path.split(separator: "/").dropLast().map { "/" + $0 }.joined()))
  }

  @Test func aDirectoryThatNoSimulationMadeIsLeftAlone() async throws {
    try await withTemporaryDirectory { directory in
      let path = try directory.makeDirectory("run")
      try directory.write("mine", to: "run/notes")
      #expect(throws: SimulationError.notSimulated(path: path)) { try SimulatedVault(in: path) }
      #expect(TestFile.names(in: path) == ["notes"])
    }
  }

  @Test func aDirectoryIsSimulatedByOneAtATime() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("run")
      let first = try SimulatedVault(in: path)
      try first.show(.valid(for: .seconds(60)))
      let error = #expect(throws: SimulationError.self) { try SimulatedVault(in: path) }
      #expect(error == .inUse(path: path + "/host.lock"))
      withExtendedLifetime(first) {}
    }
  }

  @Test func aLaterSimulationGoesOnWhereTheFormerWas() async throws {
    try await withTemporaryDirectory { directory in
      let path = directory.file("run")
      var simulation: SimulatedVault? = try SimulatedVault(in: path, time: .system)
      try simulation?.show(.valid(for: .seconds(60)))
      let vault = try #require(simulation?.reader())
      #expect(vault.state().generation == 1)
      simulation = nil
      #expect(vault.state().host == .stale)
      let second = try SimulatedVault(in: path, time: .system)
      try second.show(.signedOut)
      #expect(vault.state().session == .signedOut)
      #expect(vault.state().generation == 2)
    }
  }
}
