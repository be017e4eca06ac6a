import FileSupport
import TestSupport
import Testing

@Suite struct PrivateFileTests {
  @Test func aFileOfOnesOwnIsReadThroughALinkToo() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("secret\n", to: "secret")
    try directory.link("link", to: path)
    let bytes = try PrivateFile.read(path: directory.file("link"), sizeLimit: 64)
    #expect(bytes == Array("secret\n".utf8))
  }

  @Test(arguments: [UInt32(0o640), 0o604, 0o700])
  func aModeThatLetsOthersInIsRefused(mode: UInt32) throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("secret", to: "secret", mode: mode)
    #expect(throws: FileError.insecure(path: path, .mode(mode, allowed: 0o600))) {
      try PrivateFile.read(path: path, sizeLimit: 64)
    }
  }

  @Test func whatIsNoFileOrTooLongIsRefused() throws {
    let directory = try TemporaryDirectory()
    #expect(
      throws: FileError.insecure(path: directory.path, .kind(expected: "a regular file"))
    ) { try PrivateFile.read(path: directory.path, sizeLimit: 64) }
    let path = try directory.write("secret", to: "secret")
    #expect(throws: FileError.tooLarge(path: path, limit: 5)) {
      try PrivateFile.read(path: path, sizeLimit: 5)
    }
  }
}
