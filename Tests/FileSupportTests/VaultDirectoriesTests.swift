import FileSupport
import Glibc
import TestSupport
import Testing

@Suite struct VaultDirectoriesTests {
  private let root: TemporaryDirectory

  init() throws {
    root = try TemporaryDirectory()
  }

  private func directories(_ values: [String: String], user: UInt32 = 1000) -> VaultDirectories {
    VaultDirectories(environment: FileSupport.Environment(values), user: user)
  }

  @Test func theUsualPlacesFollowTheXDGRules() {
    let plain = directories(["HOME": "/home/p"])
    #expect(plain.state == "/home/p/.local/state/tokenvault")
    #expect(plain.keys == "/home/p/.local/share/tokenvault/keys")
    #expect(
      plain.runtimeCandidates == [
        "/run/user/1000/tokenvault", "/home/p/.local/state/tokenvault/run",
      ])
    let full = directories([
      "HOME": "/home/p", "XDG_RUNTIME_DIR": "/r", "XDG_STATE_HOME": "/s", "XDG_DATA_HOME": "/d",
    ])
    #expect(full.state == "/s/tokenvault")
    #expect(full.keys == "/d/tokenvault/keys")
    #expect(
      full.runtimeCandidates == [
        "/r/tokenvault", "/run/user/1000/tokenvault", "/s/tokenvault/run",
      ])
  }

  @Test func variablesOfItsOwnComeFirst() {
    let named = directories([
      "HOME": "/home/p", "XDG_RUNTIME_DIR": "/r", "TOKENVAULT_RUNTIME_DIR": "/tr",
      "TOKENVAULT_STATE_DIR": "/ts", "TOKENVAULT_KEY_DIR": "/tk",
    ])
    #expect(named.runtimeCandidates == ["/tr"])
    #expect(named.state == "/ts")
    #expect(named.keys == "/tk")
  }

  @Test func fs08RelativeAndEmptyValuesCountAsUnset() {
    let variables = ["XDG_RUNTIME_DIR": "r", "XDG_STATE_HOME": "", "HOME": "home", "PWD": "x"]
    #expect(
      VaultDirectories.relativeVariables(in: Environment(variables)) == ["HOME", "XDG_RUNTIME_DIR"])
    let odd = directories(variables)
    #expect(odd.state == nil)
    #expect(odd.keys == nil)
    #expect(odd.runtimeCandidates == ["/run/user/1000/tokenvault"])
  }

  @Test func theSamePlaceIsTriedOnce() {
    let usual = directories(["XDG_RUNTIME_DIR": "/run/user/1000"])
    #expect(usual.runtimeCandidates == ["/run/user/1000/tokenvault"])
  }

  @Test func fs08AMissingRuntimeParentIsPassedOverAndNotMade() throws {
    let places = directories(
      ["XDG_RUNTIME_DIR": root.file("missing"), "HOME": root.path], user: 4_000_000)
    let runtime = try places.createRuntimeDirectory()
    #expect(runtime.path == root.file(".local/state/tokenvault/run"))
    #expect(!TestFile.exists(root.file("missing")))
    #expect(!TestFile.exists("/run/user/4000000"))
    #expect(try places.openRuntimeDirectory()?.path == runtime.path)
  }

  @Test func theFirstPlaceIsTakenWhenItsParentIsThere() throws {
    _ = try root.makeDirectory("r")
    let places = directories(["XDG_RUNTIME_DIR": root.file("r"), "HOME": root.path])
    #expect(try places.openRuntimeDirectory() == nil)
    #expect(try places.createRuntimeDirectory().path == root.file("r/tokenvault"))
    #expect(try places.openRuntimeDirectory()?.path == root.file("r/tokenvault"))
  }

  @Test func aNamedPlaceIsMadeWithItsParents() throws {
    let places = directories(["TOKENVAULT_RUNTIME_DIR": root.file("a/b/c")])
    #expect(try places.createRuntimeDirectory().path == root.file("a/b/c"))
  }

  @Test func fs08APlaceThatMustNotBeTrustedIsNotPassedOver() throws {
    _ = try root.makeDirectory("r")
    let path = try root.makeDirectory("r/tokenvault", mode: 0o755)
    let places = directories(["XDG_RUNTIME_DIR": root.file("r"), "HOME": root.path])
    #expect(throws: FileError.insecure(path: path, .mode(0o755, allowed: 0o700))) {
      try places.createRuntimeDirectory()
    }
    for _ in 0..<2 {
      #expect(throws: FileError.insecure(path: path, .mode(0o755, allowed: 0o700))) {
        try places.openRuntimeDirectory()
      }
      // Not even where another exists.
      _ = try? root.makeDirectory(".local")
      _ = try? root.makeDirectory(".local/state")
      _ = try? root.makeDirectory(".local/state/tokenvault")
      _ = try? root.makeDirectory(".local/state/tokenvault/run")
    }
  }

  @Test func fs08WithoutTheVariableTheUsualPlaceIsTakenThenTheStates() throws {
    let places = directories(["HOME": root.path], user: 4_000_000)
    #expect(
      places.runtimeCandidates == [
        "/run/user/4000000/tokenvault", root.file(".local/state/tokenvault/run"),
      ])
    #expect(
      try places.createRuntimeDirectory().path == root.file(".local/state/tokenvault/run"))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
  func fs08APlaceOfAnotherUserIsRefusedByTheHostAndPassedOverByReaders() throws {
    let run = try root.makeDirectory("r")
    let path = try root.makeDirectory("r/tokenvault")
    try #require(unsafe chown(path, 4711, 4711) == 0)
    let places = directories(["XDG_RUNTIME_DIR": run, "HOME": root.path], user: 4_000_000)
    let expected = FileError.insecure(path: path, .owner(4711, expected: 0))
    #expect(throws: expected) { try places.createRuntimeDirectory() }
    #expect(throws: expected) { try places.openRuntimeDirectory() }
    // As after su, when the variable still names the other user's place.
    let own = try Directory.create(
      path: root.file(".local/state/tokenvault/run"), policy: .ownerOnly)
    #expect(try places.openRuntimeDirectory()?.path == own.path)
    // The system's directory above it may have any mode, but no other owner.
    try #require(unsafe chown(path, 0, 0) == 0)
    try #require(unsafe chmod(run, 0o755) == 0)
    #expect(try places.createRuntimeDirectory().path == path)
    _ = try ParentDirectories.check(above: path)
    try #require(unsafe chown(run, 4711, 4711) == 0)
    #expect(throws: FileError.insecure(path: path, .parentOwner(run, owner: 4711))) {
      _ = try ParentDirectories.check(above: path)
    }
  }

  @Test func withoutAnyPlaceEachReasonIsNamed() {
    let places = directories(["XDG_RUNTIME_DIR": root.file("missing")], user: 4_000_000)
    let error = #expect(throws: FileError.self) { try places.createRuntimeDirectory() }
    #expect(
      error?.description
        == "no runtime directory can be used: "
        + "\(root.file("missing"))/tokenvault: mkdir: No such file or directory (ENOENT); "
        + "/run/user/4000000/tokenvault: mkdir: No such file or directory (ENOENT)")
  }
}
