import FileSupport
import Glibc
import TestSupport
import Testing

@Suite struct DirectoryOpeningTests {
  private let root: TemporaryDirectory

  init() throws {
    root = try TemporaryDirectory()
  }

  @Test(arguments: [0o755, 0o750, 0o701, 0o1700] as [UInt32])
  func fs01AModeThatLetsOthersInIsRefused(_ mode: UInt32) throws {
    let path = try root.makeDirectory("state", mode: mode)
    #expect(
      throws: FileError.insecure(path: path, .mode(mode, allowed: 0o700))
    ) {
      try Directory.create(path: path, policy: .ownerOnly)
    }
    #expect(try FileStatus(of: path, in: AT_FDCWD).permissions == mode)
  }

  @Test func fs01ALinkOrFileInItsPlaceIsRefused() throws {
    _ = try root.makeDirectory("real")
    #expect(unsafe symlink(root.file("real"), root.file("link")) == 0)
    try root.write([], to: "file")
    for name in ["link", "file"] {
      #expect(
        throws: FileError.insecure(path: root.file(name), .kind(expected: "a directory"))
      ) {
        try Directory.create(path: root.file(name), policy: .ownerOnly)
      }
    }
  }

  @Test func fs01ParentsThatAnybodyMayWriteToAreRefused() throws {
    let open = try root.makeDirectory("open", mode: 0o777)
    let inside = try root.makeDirectory("open/state")
    #expect(
      throws: FileError.insecure(path: inside, .parentWritableByAll(open))
    ) {
      _ = try ParentDirectories.check(above: inside)
    }
    #expect(unsafe chmod(open, 0o1777) == 0)
    #expect(try !ParentDirectories.check(above: inside).contains(open))
    #expect(unsafe chmod(open, 0o770) == 0)
    #expect(try ParentDirectories.check(above: inside).contains(open))
    #expect(unsafe chmod(open, 0o755) == 0)
    #expect(try !ParentDirectories.check(above: inside).contains(open))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can give a directory away"))
  func fs01ParentsOfAnotherUserAreRefusedAlsoIfSticky() throws {
    let other = try root.makeDirectory("other")
    let inside = try root.makeDirectory("other/state")
    #expect(unsafe chown(other, 4711, 4711) == 0)
    for mode: UInt32 in [0o700, 0o755, 0o1777] {
      #expect(unsafe chmod(other, mode) == 0)
      #expect(throws: FileError.insecure(path: inside, .parentOwner(other, owner: 4711))) {
        _ = try ParentDirectories.check(above: inside)
      }
    }
    // Its owner is one of the two that are trusted.
    #expect(unsafe chown(other, 0, 0) == 0)
    #expect(unsafe chmod(other, 0o755) == 0)
    #expect(try ParentDirectories.check(above: inside).isEmpty)
  }

  @Test func aMissingDirectoryIsToldByItsErrorNumber() {
    #expect(
      throws: FileError.system(
        call: "open", path: root.file("none"), Errno(rawValue: ENOENT))
    ) {
      try Directory.open(path: root.file("none"), policy: .ownerOnly)
    }
  }

  @Test func aDirectoryKnowsWhetherItIsStillInPlace() throws {
    let directory = try Directory.create(path: root.file("a/run"), policy: .ownerOnly)
    #expect(directory.isStillInPlace)
    #expect(unsafe rename(root.file("a/run"), root.file("a/old")) == 0)
    #expect(!directory.isStillInPlace)
    _ = try Directory.create(path: root.file("a/run"), policy: .ownerOnly)
    #expect(!directory.isStillInPlace)
    #expect(unsafe rmdir(root.file("a/run")) == 0)
    #expect(unsafe symlink("old", root.file("a/run")) == 0)
    #expect(!directory.isStillInPlace)
  }

  @Test func aLongPathIsReachedThroughTheDirectory() throws {
    var path = root.path
    for _ in 0..<20 { path += "/" + String(repeating: "d", count: 20) }
    let directory = try Directory.create(path: path, policy: .ownerOnly)
    let listener = try UnixSocket.listen("host.sock", in: directory)
    let client = try UnixSocket.connect("host.sock", in: directory)
    let server = try UnixSocket.accept(on: listener.rawValue)
    try client.writeAll([1, 2])
    #expect(try UnixSocket.peer(of: server.rawValue).user == geteuid())
    #expect(try UnixSocket.peer(of: server.rawValue).process == getpid())
    #expect(try FileStatus(of: "host.sock", in: directory.rawDescriptor).permissions == 0o600)
    _ = consume client
    #expect(try readToEnd(of: server.rawValue, limit: 2, path: "socket") == [1, 2])
  }
}
