import FileSupport
import Glibc
import SecretMemory
import SessionModel
import SnapshotFormat
import SnapshotStore
import Synchronization
import TestSupport
import Testing

@Suite struct SnapshotPublisherTests {
  private let root: TemporaryDirectory
  private let runtime: Directory
  private let rebuilds = Counter()
  private let publisher: SnapshotPublisher

  init() throws {
    root = try TemporaryDirectory()
    runtime = try Directory.create(path: root.file("run"), policy: .ownerOnly)
    publisher = try SnapshotPublisher(runtime: runtime) { [rebuilds] _ in rebuilds.add() }
  }

  private func publish(_ draft: SnapshotDraft = Sample.draft()) throws {
    try publisher.publish(draft, with: try Sample.encoder())
  }

  private func readKey(_ group: String = "default") throws -> GroupKey {
    try GroupKey(file: root.read("run/groups/\(group)/key"))
  }

  private func readSnapshot(_ place: SnapshotPlace = Sample.place) throws -> Snapshot {
    let path = "run/groups/\(place.accessGroup)/ns/\(place.namespace)/session"
    return try Sample.open(
      root.read(path), key: readKey(place.accessGroup.name), place: place)
  }

  @Test func aPublishedSnapshotIsFoundWhereTheFormatSays() throws {
    try publish()
    #expect(try readSnapshot().content == .session(Sample.record.withoutHostTokens))
    try publish(Sample.draft(.signedOut, generation: 8))
    #expect(try readSnapshot().content == .signedOut)
    #expect(TestFile.names(in: root.file("run/groups/default")) == ["key", "ns"])
    #expect(TestFile.names(in: root.file("run/groups/default/ns/primary")) == ["session"])
    #expect(rebuilds.count == 0)
  }

  @Test func sharedHostTokensReachTheReader() throws {
    try publisher.publish(Sample.draft(), with: try Sample.encoder(), sharesHostTokens: true)
    #expect(try readSnapshot().content == .session(Sample.record))
  }

  @Test func theKeyStaysTheSameFromHostToHost() throws {
    try publish()
    let first = try readKey().identifier
    let second = try SnapshotPublisher(runtime: runtime) { _ in }
    try second.publish(Sample.draft(generation: 8), with: try Sample.encoder())
    #expect(try readKey().identifier == first)
    #expect(try readSnapshot().header.generation == 8)
  }

  @Test func everyGroupHasAKeyOfItsOwn() throws {
    let other = SnapshotPlace(
      accessGroup: try #require(AccessGroup("group.com.example")), namespace: .primary)
    try publish()
    try publish(Sample.draft(place: other))
    #expect(try readKey().identifier != readKey("group.com.example").identifier)
    #expect(try readSnapshot(other).header.accessGroup == other.accessGroup)
  }

  @Test func fs06ModesDoNotDependOnTheUmask() throws {
    // The umask is the process's: other suites check owners only, and 0 takes nothing from them.
    let before = umask(0)
    defer { umask(before) }
    try publish()
    for (path, mode) in [
      ("run", 0o700), ("run/groups", 0o700), ("run/groups/default", 0o700),
      ("run/groups/default/key", 0o600), ("run/groups/default/ns", 0o700),
      ("run/groups/default/ns/primary", 0o700),
      ("run/groups/default/ns/primary/session", 0o600),
    ] as [(String, UInt32)] {
      #expect(try FileStatus(of: root.file(path), in: AT_FDCWD).permissions == mode, "\(path)")
    }
  }

  @Test func aRemovedRuntimeDirectoryIsRebuiltWithTheSameKey() throws {
    try publish()
    let key = try readKey().identifier
    try remove("run")
    try publish(Sample.draft(generation: 8))
    #expect(rebuilds.count == 1)
    #expect(try readKey().identifier == key)
    #expect(try readSnapshot().header.generation == 8)
    try publish(Sample.draft(generation: 9))
    #expect(rebuilds.count == 1)
  }

  @Test func aRuntimeDirectoryThatWasMovedAwayIsNotWrittenTo() throws {
    try publish()
    #expect(unsafe rename(root.file("run"), root.file("old")) == 0)
    try publish(Sample.draft(generation: 8))
    #expect(rebuilds.count == 1)
    #expect(try readSnapshot().header.generation == 8)
    let old = try Sample.open(
      root.read("old/groups/default/ns/primary/session"), key: readKey())
    #expect(old.header.generation == 7)
  }

  @Test func aRebuildThatTheHostRefusesFailsThePublication() throws {
    let refusing = try SnapshotPublisher(runtime: runtime) { directory throws(FileError) in
      throw .locked(path: directory.path + "/host.lock")
    }
    try refusing.publish(Sample.draft(), with: try Sample.encoder())
    try remove("run")
    for _ in 0..<2 {
      #expect(
        throws: SnapshotStoreError.file(.locked(path: root.file("run") + "/host.lock"))
      ) {
        try refusing.publish(Sample.draft(generation: 8), with: try Sample.encoder())
      }
    }
    #expect(TestFile.names(in: root.file("run")) == [])
  }

  @Test(arguments: [
    "run/groups", "run/groups/default", "run/groups/default/ns",
    "run/groups/default/ns/primary", "run/groups/default/key",
  ])
  func whateverIsRemovedComesBackWithTheSameKey(_ path: String) throws {
    try publish()
    let key = try readKey().identifier
    try remove(path)
    try publish(Sample.draft(generation: 8))
    #expect(try readKey().identifier == key)
    #expect(try readSnapshot().header.generation == 8)
  }

  @Test func aKeyThatSomebodyPutThereIsTakenOver() throws {
    try publish()
    try root.write(Sample.groupKey().fileBytes, to: "run/groups/default/new")
    #expect(
      unsafe rename(
        root.file("run/groups/default/new"), root.file("run/groups/default/key")) == 0)
    try publish(Sample.draft(generation: 8))
    #expect(try readKey().identifier == Sample.groupKey().identifier)
    #expect(try readSnapshot().header.generation == 8)
  }

  @Test(arguments: [[], [1, 2, 3], Array(repeating: 0, count: 49)] as [[UInt8]])
  func aBadKeyIsNamedAndNotOverwritten(_ bytes: [UInt8]) throws {
    try publish()
    try remove("run/groups/default/key")
    try root.write(bytes, to: "run/groups/default/key")
    let path = root.file("run/groups/default/key")
    for publisher in [publisher, try SnapshotPublisher(runtime: runtime) { _ in }] {
      let error = #expect(throws: SnapshotStoreError.self) {
        try publisher.publish(Sample.draft(generation: 8), with: try Sample.encoder())
      }
      #expect(error == .key(path: path, .damaged))
      #expect(
        error?.description == "\(path): the access group's key is damaged;"
          + " move it away and start the host again to have a new one made")
    }
    #expect(try root.read("run/groups/default/key") == bytes)
  }

  @Test func aKeyThatIsOverwrittenWhereItIsIsReadAgain() throws {
    try publish()
    let path = root.file("run/groups/default/key")
    let inode = try status(path).st_ino
    var bytes = try root.read("run/groups/default/key")
    bytes[20] ^= 1
    try overwrite(path, with: bytes)
    #expect(throws: SnapshotStoreError.key(path: path, .damaged)) {
      try publish(Sample.draft(generation: 8))
    }
    bytes[20] ^= 1
    try overwrite(path, with: bytes)
    try publish(Sample.draft(generation: 9))
    #expect(try status(path).st_ino == inode)
  }

  /// Writes the bytes of a file anew, until the kernel's time, which goes in steps, has moved on.
  private func overwrite(_ path: String, with bytes: [UInt8]) throws {
    let before = try status(path).st_mtim
    repeat {
      let number = unsafe open(path, O_WRONLY | O_CLOEXEC)
      try #require(number >= 0)
      try FileDescriptor(owning: number).writeAll(bytes)
    } while try status(path).st_mtim.tv_nsec == before.tv_nsec
  }

  private func status(_ path: String) throws -> stat {
    var status = stat()
    try #require(unsafe lstat(path, &status) == 0)
    return status
  }

  @Test func aKeyThatOthersMayReadIsRefused() throws {
    try publish()
    #expect(unsafe chmod(root.file("run/groups/default/key"), 0o640) == 0)
    let again = try SnapshotPublisher(runtime: runtime) { _ in }
    #expect(
      throws: SnapshotStoreError.file(
        .insecure(
          path: root.file("run/groups/default/key"), .mode(0o640, allowed: 0o600)))
    ) {
      try again.publish(Sample.draft(generation: 8), with: try Sample.encoder())
    }
  }

  @Test func st04TemporaryFilesOfAKilledHostAreSwept() throws {
    try publish()
    try root.write([1], to: "run/groups/default/.key.1f.tmp")
    try root.write([1], to: "run/groups/default/ns/primary/.session.2f.tmp")
    try root.write([1], to: "run/groups/default/ns/primary/.other")
    _ = try SnapshotPublisher(runtime: runtime) { _ in }
    #expect(TestFile.names(in: root.file("run/groups/default")) == ["key", "ns"])
    #expect(
      TestFile.names(in: root.file("run/groups/default/ns/primary")) == [".other", "session"])
  }

  @Test func existingPlacesAreListedWhoeverMadeThem() throws {
    #expect(try publisher.existingPlaces() == [])
    let work = SnapshotPlace(
      accessGroup: try #require(AccessGroup("b")), namespace: try #require(Namespace("work")))
    try publish()
    try publish(Sample.draft(place: work))
    _ = try root.makeDirectory("run/groups/.hidden")
    _ = try root.makeDirectory("run/groups/default/ns/.hidden")
    _ = try root.makeDirectory("run/groups/empty")
    let later = try SnapshotPublisher(runtime: runtime) { _ in }
    #expect(try later.existingPlaces() == [work, Sample.place])
  }

  @Test func theLastSnapshotIsReadBack() throws {
    #expect(try publisher.readBack(Sample.place) == nil)
    try publish()
    let later = try SnapshotPublisher(runtime: runtime) { _ in }
    let snapshot = try #require(try later.readBack(Sample.place))
    #expect(snapshot.header.life == Sample.life)
    #expect(snapshot.header.generation == 7)
  }

  @Test func aDamagedSnapshotIsNamedWhenReadBack() throws {
    try publish()
    let path = "run/groups/default/ns/primary/session"
    try root.write(try root.read(path).dropLast(), to: path)
    let error = #expect(throws: SnapshotStoreError.self) {
      try publisher.readBack(Sample.place)
    }
    #expect(error == .snapshot(path: root.file(path), .corrupt(.shape)))
    #expect(
      error?.description
        == "\(root.file(path)): the snapshot is damaged (not the shape of a snapshot);"
        + " the host replaces it at its next publication")
  }

  @Test(arguments: ["run/groups/default/ns/primary/session", "run/groups/default/ns", "run"])
  func whatReadersDoNotFindAnyMoreIsNotPublished(_ path: String) throws {
    #expect(!publisher.isPublished(Sample.place))
    try publish()
    #expect(publisher.isPublished(Sample.place))
    try remove(path)
    #expect(!publisher.isPublished(Sample.place))
    try publish()
    #expect(publisher.isPublished(Sample.place))
  }

  @Test(arguments: ["run/groups/default/ns", "run/groups", "run"])
  func whatWasMovedAwayFromReadersIsNotPublished(_ path: String) throws {
    try publish()
    try #require(unsafe rename(root.file(path), root.file("away")) == 0)
    #expect(!publisher.isPublished(Sample.place))
    try publish()
    #expect(publisher.isPublished(Sample.place))
  }

  @Test func aRemovedNamespaceLeavesTheOthers() throws {
    let work = SnapshotPlace(namespace: try #require(Namespace("work")))
    try publish()
    try publish(Sample.draft(place: work))
    try publisher.remove(work)
    try publisher.remove(work)
    #expect(try publisher.existingPlaces() == [Sample.place])
    try publish(Sample.draft(place: work))
    #expect(try readSnapshot(work).header.generation == 7)
  }

  @Test func cr14ARemovedGroupTakesItsKeyAndLeavesTheOthers() throws {
    let group = try #require(AccessGroup("gone"))
    let place = SnapshotPlace(accessGroup: group, namespace: .primary)
    try publish()
    try publish(Sample.draft(place: place))
    let key = try readKey("gone").identifier
    let kept = try readKey().identifier
    try publisher.remove(group)
    #expect(TestFile.names(in: root.file("run/groups")) == ["default"])
    #expect(try readKey().identifier == kept)
    #expect(try readSnapshot().header.generation == 7)
    try publish(Sample.draft(place: place))
    #expect(try readKey("gone").identifier != key)
  }

  @Test func aFailedPublicationLeavesTheOldSnapshot() throws {
    try publish()
    let record = StoredSessionV1(
      issuer: "i", clientId: "c", accessToken: String(repeating: "x", count: 70_000),
      tokenType: "t")
    let error = #expect(throws: SnapshotStoreError.self) {
      try publish(Sample.draft(.session(record), generation: 8))
    }
    #expect(
      error?.description
        == "the access token is longer than 65536 bytes and can't be published")
    #expect(try readSnapshot().header.generation == 7)
  }

  private func remove(_ path: String) throws {
    let full = root.file(path)
    if unsafe unlink(full) == 0 { return }
    for name in TestFile.names(in: full) { try remove(path + "/" + name) }
    #expect(unsafe rmdir(full) == 0)
  }
}

/// Counts calls from any thread.
final class Counter: Sendable {
  private let value = Atomic(0)

  var count: Int { value.load(ordering: .relaxed) }

  func add() { value.add(1, ordering: .relaxed) }
}
