import FileSupport
import Glibc
import TestSupport
import Testing

@Suite struct DirectoryReadingTests {
  private let root: TemporaryDirectory
  private let directory: Directory

  init() throws {
    root = try TemporaryDirectory()
    directory = try Directory.open(path: root.path, policy: .ownerOnly)
  }

  private func error(_ name: String, sizeLimit: Int = 1_000) -> FileError? {
    do throws(FileError) {
      _ = try directory.readFile(name, sizeLimit: sizeLimit)
      return nil
    } catch {
      return error
    }
  }

  @Test func wholeFilesAreReadAndMissingOnesToldApart() throws {
    let bytes = Array(repeating: 0xAB, count: 40_000) as [UInt8]
    try root.write(bytes, to: "file")
    try root.write([], to: "empty")
    #expect(try directory.readFile("file", sizeLimit: 40_000) == bytes)
    #expect(try directory.readFile("empty", sizeLimit: 0) == [])
    #expect(try directory.readFile("missing", sizeLimit: 10) == nil)
  }

  @Test func aFileIsReadFromItsBeginningEachTime() throws {
    try root.write([1, 2, 3], to: "file")
    let file = try opened(directory)
    #expect(try file.read() == [1, 2, 3])
    #expect(try file.read() == [1, 2, 3])
  }

  @Test func aReplacedFileShowsByItsLinks() throws {
    try root.write([1], to: "file")
    let file = try opened(directory)
    #expect(try file.currentStatus().linkCount == 1)
    try directory.replaceFile("file", with: [2], durability: .volatile)
    #expect(try file.currentStatus().linkCount == 0)
    #expect(try file.read() == [1])
  }

  @Test(arguments: [0o640, 0o604, 0o660, 0o602, 0o4600, 0o700] as [UInt32])
  func fs02AModeThatIsTooWideIsRefused(_ mode: UInt32) throws {
    try root.write([1], to: "key", mode: mode)
    #expect(
      error("key")
        == .insecure(path: root.file("key"), .mode(mode, allowed: 0o600)))
  }

  @Test(arguments: [0o600, 0o400] as [UInt32])
  func aModeWithinThePolicyIsAccepted(_ mode: UInt32) throws {
    try root.write([1], to: "key", mode: mode)
    #expect(try directory.readFile("key", sizeLimit: 10) == [1])
  }

  @Test func fs02AGroupMayReadBelowASystemService() throws {
    try root.write([1], to: "key", mode: 0o640)
    let service = try Directory.open(
      path: root.path, policy: .systemService(owner: geteuid()))
    #expect(try service.readFile("key", sizeLimit: 10) == [1])
    #expect(unsafe chmod(root.file("key"), 0o644) == 0)
    #expect(throws: FileError.self) { try service.readFile("key", sizeLimit: 10) }
  }

  @Test func fs02AnotherOwnerIsRefused() throws {
    try root.write([1], to: "key")
    let other = AccessPolicy(
      owner: geteuid() &+ 1, directoryMode: 0o700, fileMode: 0o600)
    #expect(
      throws: FileError.insecure(
        path: root.path, .owner(geteuid(), expected: geteuid() &+ 1))
    ) {
      try Directory.open(path: root.path, policy: other)
    }
    let status = try FileStatus(of: root.file("key"), in: AT_FDCWD)
    #expect(throws: FileError.self) { try other.check(file: status, path: "key") }
  }

  @Test func fs02ASecondNameIsRefused() throws {
    try root.write([1], to: "key")
    #expect(unsafe link(root.file("key"), root.file("other")) == 0)
    #expect(error("key") == .insecure(path: root.file("key"), .linked))
  }

  @Test(.timeLimit(.minutes(1)))
  func fs03WhateverStandsInAFilesPlaceIsRefusedWithoutWaiting() throws {
    #expect(unsafe symlink("/etc/passwd", root.file("link")) == 0)
    #expect(unsafe mkfifo(root.file("fifo"), 0o600) == 0)
    _ = try root.makeDirectory("directory")
    let listener = try UnixSocket.listen("socket", in: directory)
    for name in ["link", "fifo", "directory", "socket"] {
      #expect(
        error(name)
          == .insecure(path: root.file(name), .kind(expected: "a regular file")), "\(name)")
    }
    _ = consume listener
    let devices = try Directory.open(
      path: "/dev", policy: AccessPolicy(owner: 0, directoryMode: 0o7777, fileMode: 0o7777))
    #expect(throws: FileError.insecure(path: "/dev/zero", .kind(expected: "a regular file"))) {
      try devices.readFile("zero", sizeLimit: 10)
    }
  }

  @Test func fs03AFileOfAGigabyteIsRefusedUnread() throws {
    try root.write([], to: "sparse")
    #expect(unsafe truncate(root.file("sparse"), 1 << 30) == 0)
    #expect(error("sparse") == .tooLarge(path: root.file("sparse"), limit: 1_000))
  }

  @Test func aFileThatGrewAfterItsCheckIsRefused() throws {
    try root.write([1], to: "file")
    let file = try opened(directory, sizeLimit: 4)
    try root.write([1, 2, 3, 4], to: "file")
    #expect(try file.read() == [1, 2, 3, 4])
    try root.write([1, 2, 3, 4, 5], to: "file")
    #expect(throws: FileError.tooLarge(path: root.file("file"), limit: 4)) { try file.read() }
  }

  @Test func filesAndDirectoriesAreRemovedAndRenamed() throws {
    try root.write([1], to: "one")
    try directory.renameFile("one", to: "two")
    #expect(try directory.names() == ["two"])
    try directory.removeFile("two")
    try directory.removeFile("two")
    _ = try directory.createDirectory("sub")
    try directory.removeDirectory("sub")
    try directory.removeDirectory("sub")
    #expect(try directory.names() == [])
    #expect(throws: FileError.self) { try directory.renameFile("none", to: "two") }
  }

  @Test func namesAreSortedByTheirBytes() throws {
    for name in ["b", "a", "B", ".c", "\u{E9}"] { try root.write([], to: name) }
    #expect(try directory.names() == [".c", "B", "a", "b", "\u{E9}"])
    #expect(try directory.names().count == 5)
  }
}

/// Opens the file named `file`, which the test has made.
func opened(_ directory: Directory, sizeLimit: Int = 10) throws -> OpenFile {
  guard let file = try directory.openFile("file", sizeLimit: sizeLimit) else {
    throw FileError.system(call: "open", path: "file", Errno(rawValue: ENOENT))
  }
  return file
}
