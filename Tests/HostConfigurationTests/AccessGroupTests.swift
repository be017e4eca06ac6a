import FileSupport
import Glibc
import HostConfiguration
import SessionModel
import Testing

/// `[accessGroups.NAME]`: who reads besides the host's own user.
@Suite struct AccessGroupTests {
  private static let service = ["TOKENVAULT_RUNTIME_DIR": VaultDirectories.systemService]

  private static func parse(
    _ text: String, environment: [String: String] = service,
    lookUp: @escaping (String) -> UnixGroupLookup = { _ in .identifier(7) }
  ) throws(ConfigurationError) -> ConfigurationFile {
    try ConfigurationFile.parse(
      Array((text + "\n" + namespace("accessGroups = [\"work\", \"default\"]")).utf8),
      path: "c.toml", environment: FileSupport.Environment(environment), unixGroup: lookUp)
  }

  @Test func aGroupHasTheNumberThatTheNameServiceGives() throws {
    let work = try #require(AccessGroup("work"))
    let file = try Self.parse("[accessGroups.work]\nunixGroup = \"readers\"") { name in
      name == "readers" ? .identifier(54_321) : .unknown
    }
    #expect(file.unixGroups == [work: 54_321])
    #expect(file.warnings.isEmpty)
    #expect(try Self.parse("").unixGroups.isEmpty)
    #expect(try Self.parse("[accessGroups.work]").unixGroups.isEmpty)
  }

  @Test(arguments: [
    (
      UnixGroupLookup.unknown,
      "is \"readers\", which is no Unix group; run: groupadd --system \"readers\""
    ),
    (
      .notMember(user: 998),
      "is \"readers\", and the host's user is not in that group, so that it cannot give anything to"
        + " it; run: usermod -a -G \"readers\" \"$(id -un 998)\", and start the host again"
    ),
    (
      .failed(Errno(rawValue: EIO)),
      "is \"readers\", which could not be looked up: getgrnam: Input/output error (EIO)"
    ),
  ])
  func whatCannotBeGivenIsNamedWithItsLine(lookup: UnixGroupLookup, sentence: String) {
    let error = #expect(throws: ConfigurationError.self) {
      _ = try Self.parse("[accessGroups.work]\nunixGroup = \"readers\"") { _ in lookup }
    }
    #expect(error?.description == "c.toml:2: \"unixGroup\" in [accessGroups.work] \(sentence)")
  }

  @Test(arguments: [
    [:], ["TOKENVAULT_RUNTIME_DIR": "/run/other"], ["XDG_RUNTIME_DIR": "/run/tokenvault"],
  ])
  func aHostThatIsNoSystemServiceRefusesIt(environment: [String: String]) {
    let error = #expect(throws: ConfigurationError.self) {
      _ = try Self.parse(
        "[accessGroups.work]\nunixGroup = \"readers\"", environment: environment)
    }
    #expect(
      error?.description
        == "c.toml:2: \"unixGroup\" in [accessGroups.work] lets other users read, which they can only"
        + " where the host is a system service, with TOKENVAULT_RUNTIME_DIR=/run/tokenvault; remove"
        + " it, or run the host as tokenvault.service")
  }

  @Test(arguments: [
    ("accessGroups = 1", "1: \"accessGroups\" at the top level has to be a table, not an integer;"),
    (
      "[accessGroups]\nwork = 1",
      "2: \"work\" stands in [accessGroups] itself; put it below a name,"
    ),
    ("[accessGroups.\"a/b\"]", "1: the access group name \"a/b\" is not allowed; use 1 to 64"),
    (
      "[accessGroups.work]\nunixgroup = \"x\"",
      "2: unknown key \"unixgroup\" in [accessGroups.work]; did you mean \"unixGroup\"?"
    ),
    ("[accessGroups.work]\nunixGroup = 1", "2: \"unixGroup\" in [accessGroups.work] has to be a s"),
  ])
  func aMistakeIsNamedWithItsLine(text: String, start: String) {
    let error = #expect(throws: ConfigurationError.self) { _ = try Self.parse(text) }
    #expect(error?.description.hasPrefix("c.toml:" + start) == true, "\(String(describing: error))")
  }

  @Test func aGroupThatNothingIsPublishedToIsWarnedOf() throws {
    let file = try Self.parse("[accessGroups.wrok]\nunixGroup = \"readers\"")
    #expect(
      file.warnings.map(\.description) == [
        "c.toml:1: nothing is published to the access group wrok; name it in accessGroups of a"
          + " namespace"
      ])
  }

  @Test func aNamespaceWithAGroupThatChangesHandsIsNotUnchanged() throws {
    let text = "[accessGroups.work]\nunixGroup = \"readers\""
    let file = try Self.parse(text)
    #expect(file.namespaces(unchangedSince: try Self.parse(text)) == [.primary])
    let other = try Self.parse(text) { _ in .identifier(8) }
    #expect(file.namespaces(unchangedSince: other).isEmpty)
    #expect(file.namespaces(unchangedSince: try Self.parse("[accessGroups.work]")).isEmpty)
  }

  @Test func theNameServiceKnowsRootsGroup() {
    #expect(UnixGroupLookup.system("no-such-group-of-tokenvault") == .unknown)
    let isRootAlike = geteuid() == 0 || getegid() == 0
    #expect(
      UnixGroupLookup.system("root") == (isRootAlike ? .identifier(0) : .notMember(user: geteuid()))
    )
  }
}
