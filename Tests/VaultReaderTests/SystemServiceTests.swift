import FileSupport
import Glibc
import SessionModel
import TestSupport
import Testing
import VaultReader

/// Snapshots of a system service, which are there for the members of a Unix group.
@Suite struct SystemServiceTests {
  @Test func aSystemServicesDirectoryIsReadByItsOwnersRule() throws {
    let fixture = try serviceFixture()
    let vault = serviceVault(fixture)
    #expect(refusal(vault) == nil)
    // Whether the service runs cannot be asked; its deadline tells.
    #expect(vault.state().host == .reported(.ok))
    fixture.clocks.advance(by: .seconds(4001))
    #expect(vault.state().host == .stale)
  }

  @Test func aRelativeRuntimeDirectoryCountsAsUnset() async {
    await #expect(processExitsWith: .success) {
      unsafe setenv("TOKENVAULT_RUNTIME_DIR", "relative", 1)
      let places = TokenVault().candidateSites(of: .primary)
      try #require(places.last?.runtime == "/run/tokenvault")
      unsafe setenv("TOKENVAULT_RUNTIME_DIR", "/absolute", 1)
      try #require(TokenVault().candidateSites(of: .primary).map(\.runtime) == ["/absolute"])
    }
  }

  @Test(arguments: ["top", "groups", "group", "ns", "namespace", "key", "session"])
  func fs01EachPartHasItsOwnWidestMode(part: String) throws {
    let fixture = try serviceFixture()
    let (path, wrong, right): (String, UInt32, String) =
      switch part {
      case "top": (fixture.runtime.path, 0o755, "0711")
      case "groups": (fixture.runtime.path + "/groups", 0o731, "0711")
      case "group": (fixture.groupPath, 0o2751, "2750")
      case "ns": (fixture.groupPath + "/ns", 0o2770, "2750")
      case "namespace": (fixture.directoryPath, 0o2755, "2750")
      case "key": (fixture.keyPath, 0o644, "0640")
      default: (fixture.sessionPath, 0o660, "0640")
      }
    try #require(unsafe chmod(path, wrong) == 0)
    let error = try #require(refusal(serviceVault(fixture)))
    #expect(error.reason == .permission)
    #expect(error.description.hasSuffix("; run: chmod \(right) '\(path)'"))
  }

  @Test func fs03ALinkOnTheWayIsRefused() throws {
    let fixture = try serviceFixture()
    let groups = fixture.runtime.path + "/groups"
    try #require(unsafe rename(groups, groups + ".away") == 0)
    try #require(unsafe symlink("groups.away", groups) == 0)
    let error = try #require(refusal(serviceVault(fixture)))
    #expect(
      error.description == "\(groups): not a directory; move it away, or name another path")
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory to a group"))
  func aMemberOfTheGroupReadsWhatItCannotList() async throws {
    await #expect(processExitsWith: .success) {
      let fixture = try serviceFixture()
      let group: UInt32 = 54_321
      for path in [
        fixture.groupPath, fixture.groupPath + "/ns", fixture.directoryPath, fixture.keyPath,
        fixture.sessionPath,
      ] { try #require(unsafe chown(path, 0, group) == 0) }
      // chown(2) may take the set-group-ID bit away.
      try openForGroup(fixture)
      try #require(unsafe chmod(fixture.temporary.path, 0o711) == 0)
      let noGroups = setgroups(0, nil)
      try #require(noGroups == 0)
      try #require(setregid(group, group) == 0)
      try #require(setreuid(54_322, 54_322) == 0)
      let listing = unsafe open(fixture.runtime.path, O_RDONLY)
      try #require(listing < 0)
      let vault = serviceVault(fixture)
      try #require(try vault.accessToken() == VaultFixture.token)
      try #require(try vault.publishedNamespaces() == [.primary])
      let error = #expect(throws: AuthorizedRequestError.self) {
        try AuthorizedRequest(vault).send { _ in throw AccessTokenRejected() }
      }
      let why =
        "the host in \(fixture.runtime.path) is a system service, which no other user can ask for"
        + " another"
      try #require(error?.reason == .notReplaced(why))
    }
  }

  @Test func theServicesOwnUserTellsItOfARejection() throws {
    let fixture = try serviceFixture()
    let host = try StandInHost(in: fixture.runtime) { _ in
      .init(line: #"{"event":"failed","reason":"offline","message":"no route"}"#)
    }
    let error = #expect(throws: AuthorizedRequestError.self) {
      try AuthorizedRequest(serviceVault(fixture)).send { _ in throw AccessTokenRejected() }
    }
    #expect(error?.reason == .notReplaced("the host: no route"))
    #expect(host.requests.events.count == 1)
  }
}

private func serviceFixture() throws -> VaultFixture {
  let fixture = try VaultFixture(runtimeName: "service")
  try fixture.publishSession()
  try openForGroup(fixture)
  return fixture
}

private func openForGroup(_ fixture: VaultFixture) throws {
  for directory in [fixture.runtime.path, fixture.runtime.path + "/groups"] {
    try #require(unsafe chmod(directory, 0o711) == 0)
  }
  for directory in [fixture.groupPath, fixture.groupPath + "/ns", fixture.directoryPath] {
    try #require(unsafe chmod(directory, 0o2750) == 0)
  }
  for file in [fixture.keyPath, fixture.sessionPath] {
    try #require(unsafe chmod(file, 0o640) == 0)
  }
}

private func serviceVault(_ fixture: VaultFixture) -> TokenVault {
  TokenVault(
    accessGroup: .default,
    directories: fixture.serviceDirectories, clock: fixture.clocks.readerClock)
}
