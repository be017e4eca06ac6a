import FileSupport
import Glibc
import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport
import Testing

/// Access groups of a system service, which the members of Unix groups read.
@Suite struct SharedGroupTests {
  private let root: TemporaryDirectory
  private let runtime: Directory
  private let publisher: SnapshotPublisher
  private let work: SnapshotPlace

  init() throws {
    root = try TemporaryDirectory()
    runtime = try Directory.create(path: root.file("run"), policy: .serviceRuntime)
    publisher = try SnapshotPublisher(runtime: runtime) { _ in }
    work = SnapshotPlace(
      accessGroup: try #require(AccessGroup("work")), namespace: .primary)
  }

  private func publish(_ place: SnapshotPlace = Sample.place) throws {
    try publisher.publish(Sample.draft(place: place), with: try Sample.encoder())
  }

  private func status(_ path: String) throws -> FileStatus {
    try FileStatus(of: root.file("run/\(path)"), in: AT_FDCWD)
  }

  private func key(_ place: SnapshotPlace = Sample.place) throws -> GroupKey {
    try GroupKey(file: root.read("run/groups/\(place.accessGroup)/key"))
  }

  @Test func fs06AGroupsPartsHaveTheirModesWhateverTheUmask() throws {
    // The process's: others' suites check what they make themselves.
    let before = umask(0o077)
    defer { umask(before) }
    let group = getegid()
    try publisher.share([work.accessGroup: group])
    try publish(work)
    try publish()
    for (path, mode) in [
      ("", 0o711), ("groups", 0o711), ("groups/work", 0o2750), ("groups/work/key", 0o640),
      ("groups/work/ns", 0o2750), ("groups/work/ns/primary", 0o2750),
      ("groups/work/ns/primary/session", 0o640), ("groups/default", 0o700),
      ("groups/default/key", 0o600), ("groups/default/ns/primary", 0o700),
      ("groups/default/ns/primary/session", 0o600),
    ] as [(String, UInt32)] {
      let status = try status(path)
      #expect(status.permissions == mode, "\(path)")
      #expect(status.group == group, "\(path)")
    }
  }

  @Test func aGroupThatIsForOthersThanItWasLosesItsKey() throws {
    try publish(work)
    try publish()
    let (former, other) = (try key(work).identifier, try key().identifier)
    try publisher.share([work.accessGroup: getegid()])
    #expect(!TestFile.exists(root.file("run/groups/work")))
    #expect(!publisher.isPublished(work) && publisher.isPublished(Sample.place))
    try publish(work)
    #expect(try key(work).identifier != former)
    #expect(try key().identifier == other)
    let shared = try key(work).identifier
    try publisher.share([work.accessGroup: getegid()])
    #expect(try key(work).identifier == shared, "nothing has changed")
    try publisher.share([:])
    #expect(!TestFile.exists(root.file("run/groups/work")))
    try publish(work)
    #expect(try status("groups/work").permissions == 0o700)
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory to any group"))
  func aGroupsFilesBelongToItsUnixGroup() throws {
    try publisher.share([work.accessGroup: 54_321])
    try publish(work)
    for path in [
      "groups/work", "groups/work/key", "groups/work/ns", "groups/work/ns/primary",
      "groups/work/ns/primary/session",
    ] { #expect(try status(path).group == 54_321, "\(path)") }
    try publisher.share([work.accessGroup: 54_322])
    #expect(!TestFile.exists(root.file("run/groups/work")))
    try publish(work)
    #expect(try status("groups/work/ns/primary/session").group == 54_322)
  }

  @Test func aNextHostReadsBackWhatWasShared() throws {
    try publisher.share([work.accessGroup: getegid()])
    try publish(work)
    let next = try SnapshotPublisher(runtime: runtime) { _ in }
    #expect(try next.existingPlaces() == [work])
    #expect(try next.readBack(work)?.header.generation == 7)
    try next.share([work.accessGroup: getegid()])
    #expect(try next.readBack(work)?.header.generation == 7)
    try next.remove(work.accessGroup)
    #expect(TestFile.names(in: root.file("run/groups")) == [])
  }

  @Test(arguments: [0o755, 0o2770, 0o2751] as [UInt32])
  func fs01AModeThatLetsMoreInIsRefusedAndNotMended(mode: UInt32) throws {
    try publisher.share([work.accessGroup: getegid()])
    try publish(work)
    let path = root.file("run/groups/work")
    try #require(unsafe chmod(path, mode) == 0)
    #expect(
      throws: SnapshotStoreError.file(.insecure(path: path, .mode(mode, allowed: 0o2750)))
    ) { try publisher.share([work.accessGroup: getegid()]) }
  }

  @Test func aUsersOwnHostSharesNothing() throws {
    let own = try Directory.create(path: root.file("own"), policy: .ownerOnly)
    let publisher = try SnapshotPublisher(runtime: own) { _ in }
    try publisher.share([Sample.place.accessGroup: getegid()])
    try publisher.publish(Sample.draft(), with: try Sample.encoder())
    for path in ["own", "own/groups", "own/groups/default"] {
      #expect(try FileStatus(of: root.file(path), in: AT_FDCWD).permissions == 0o700)
    }
  }
}
