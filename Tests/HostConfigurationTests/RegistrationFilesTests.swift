import FileSupport
import HostConfiguration
import SessionModel
import TestSupport
import Testing

@Suite struct RegistrationFilesTests {
  private static func files(_ directory: TemporaryDirectory) throws -> RegistrationFiles {
    try RegistrationFiles(
      configuration: directory.file("new/config.toml"), namespace: .primary)
  }

  @Test func bothFilesAreForTheirOwnerAlone() throws {
    let directory = try TemporaryDirectory()
    let files = try Self.files(directory)
    #expect(try files.reserve() == nil)
    try files.keep(record: Array("{}\n".utf8), secret: "s")
    #expect(try PrivateFile.read(path: files.recordPath, sizeLimit: 9) == Array("{}\n".utf8))
    #expect(try PrivateFile.read(path: files.secretPath, sizeLimit: 9) == Array("s\n".utf8))
    #expect(files.secretPath == directory.file("new/primary-client-secret"))
    #expect(files.recordPath == directory.file("new/primary-registration.json"))
  }

  @Test func aRegistrationIsNeverWrittenOver() throws {
    let directory = try TemporaryDirectory()
    let files = try Self.files(directory)
    try files.keep(record: [1], secret: nil)
    #expect(try files.reserve() == files.recordPath)
    #expect(try TestFile.read(files.recordPath) == [1])
    let other = try RegistrationFiles(
      configuration: directory.file("new/config.toml"), namespace: Namespace("work") ?? .primary)
    #expect(try other.reserve() == nil)
    try directory.write("mine", to: "new/primary-client-secret")
    files.release()
    #expect(try files.reserve() == files.secretPath)
    #expect(try TestFile.text(files.secretPath) == "mine")
  }

  @Test func oneThatWasBrokenOffOrReleasedIsNotInTheWay() throws {
    let directory = try TemporaryDirectory()
    let files = try Self.files(directory)
    #expect(try files.reserve() == nil)
    #expect(try files.reserve() == nil)
    files.release()
    #expect(!TestFile.exists(files.recordPath))
  }

  @Test func aDirectoryThatOthersCanWriteIsRefused() throws {
    let directory = try TemporaryDirectory()
    _ = try directory.makeDirectory("new", mode: 0o770)
    #expect(throws: FileError.self) { try Self.files(directory) }
  }
}
