import FileSupport
import Glibc
import TestSupport
import Testing

@Suite struct FileLockTests {
  private let root: TemporaryDirectory
  private let directory: Directory

  init() throws {
    root = try TemporaryDirectory()
    directory = try Directory.open(path: root.path, policy: .ownerOnly)
  }

  @Test func oneOwnerHoldsItAtATimeEvenInOneProcess() throws {
    #expect(try !FileLock.isHeld("host.lock", in: directory))
    do {
      let lock = try FileLock("host.lock", in: directory)
      #expect(try FileLock.isHeld("host.lock", in: directory))
      #expect(throws: FileError.locked(path: root.file("host.lock"))) {
        try FileLock("host.lock", in: directory)
      }
      // Asking opened and closed the file: with POSIX locks that alone would have released it.
      #expect(try FileLock.isHeld("host.lock", in: directory))
      withExtendedLifetime(lock) {}
    }
    #expect(try !FileLock.isHeld("host.lock", in: directory))
    _ = try FileLock("host.lock", in: directory)
  }

  @Test func rf07TheEndReleasesWhateverCopiesTheDescriptor() throws {
    let path = root.file("host.lock")
    var copy: Int32 = -1
    do {
      let lock = try FileLock("host.lock", in: directory)
      // As a child has one between fork(2) and execve(2).
      let own = try #require(
        TestFile.names(in: "/proc/self/fd").compactMap { Int32($0) }.first { number in
          SymbolicLink.target("/proc/self/fd/\(number)") == path
        })
      copy = dup(own)
      withExtendedLifetime(lock) {}
    }
    #expect(try !FileLock.isHeld("host.lock", in: directory))
    close(copy)
  }

  @Test func askingTakesNoLock() throws {
    try root.write([], to: "host.lock")
    #expect(try !FileLock.isHeld("host.lock", in: directory))
    let lock = try FileLock("host.lock", in: directory)
    withExtendedLifetime(lock) {}
  }

  @Test func aLinkInItsPlaceIsRefused() throws {
    try root.write([], to: "target")
    #expect(unsafe symlink("target", root.file("host.lock")) == 0)
    #expect(
      throws: FileError.system(
        call: "open", path: root.file("host.lock"), Errno(rawValue: ELOOP))
    ) {
      try FileLock("host.lock", in: directory)
    }
    // What cannot be asked is neither held nor free.
    #expect(
      throws: FileError.system(
        call: "open", path: root.file("host.lock"), Errno(rawValue: ELOOP))
    ) {
      try FileLock.isHeld("host.lock", in: directory)
    }
  }

  @Test func anotherModeIsRefused() throws {
    try root.write([], to: "host.lock", mode: 0o644)
    #expect(
      throws: FileError.insecure(
        path: root.file("host.lock"), .mode(0o644, allowed: 0o600))
    ) {
      try FileLock("host.lock", in: directory)
    }
  }
}
