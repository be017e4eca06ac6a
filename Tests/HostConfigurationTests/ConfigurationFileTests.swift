import FileSupport
import Glibc
import HostConfiguration
import TestSupport
import Testing

@Suite struct ConfigurationFileTests {
  private func load(_ path: String) throws(ConfigurationError) -> ConfigurationFile {
    try ConfigurationFile.load(path: path, environment: .init([:]))
  }

  private func failure(_ path: String) -> String? {
    #expect(throws: ConfigurationError.self) { try load(path) }?.description
  }

  @Test func readsAFile() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(namespace(""), to: "config.toml")
    let file = try load(path)
    #expect(file.path == path)
    #expect(file.namespaces.count == 1)
    #expect(file.warnings.isEmpty)
  }

  @Test func namesTheFileAndTheLine() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(namespace("isuer = \"x\"\n"), to: "config.toml")
    #expect(
      failure(path)
        == "\(path):4: unknown key \"isuer\" in [namespaces.primary]; did you mean \"issuer\"?")
  }

  @Test func isEmptyWithoutAFile() throws {
    let directory = try TemporaryDirectory()
    let file = try load(directory.file("missing/config.toml"))
    #expect(file.isAbsent)
    #expect(file.namespaces.isEmpty)
  }

  @Test func followsASymbolicLink() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(namespace(""), to: "real.toml")
    #expect(unsafe symlink(path, directory.file("config.toml")) == 0)
    #expect(try load(directory.file("config.toml")).namespaces.count == 1)
  }

  @Test func refusesWhatIsNoFile() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.makeDirectory("config.toml")
    #expect(failure(path) == "\(path): not a regular file; move it away, or name another path")
    let fifo = directory.file("fifo")
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    #expect(failure(fifo) == "\(fifo): not a regular file; move it away, or name another path")
    let below = directory.file("real.toml")
    try directory.write("", to: "real.toml")
    #expect(failure(below + "/x") == "\(below)/x: open: Not a directory (ENOTDIR)")
  }

  @Test func refusesAFileThatAnybodyCanWrite() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(namespace(""), to: "config.toml", mode: 0o646)
    #expect(failure(path) == "\(path): mode 0646 lets others in; run: chmod 0600 '\(path)'")
  }

  @Test func refusesALargeFile() throws {
    let directory = try TemporaryDirectory()
    let comment = "#" + String(repeating: "x", count: ConfigurationFile.sizeLimit)
    let path = try directory.write(comment, to: "config.toml")
    #expect(failure(path) == "\(path): longer than 1048576 bytes")
    try directory.write(String(comment.dropLast()), to: "config.toml")
    #expect(try load(path).namespaces.isEmpty)
  }

  @Test(
    .enabled(if: geteuid() == 0, "only root can give files away"))
  func refusesAFileOfSomebodyElse() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(namespace(""), to: "config.toml")
    #expect(unsafe chown(path, 12345, 12345) == 0)
    #expect(
      failure(path)
        == "\(path): belongs to user 12345 instead of 0; if it is yours, run: sudo chown 0"
        + " '\(path)'; else use another directory")
  }

  @Test func saysHowToMakeAFileReadable() {
    let error = ConfigurationError.unreadable(
      .system(call: "open", path: "/c.toml", Errno(rawValue: EACCES)))
    #expect(
      error.description
        == "/c.toml: open: Permission denied (EACCES); make it readable for the user that the host"
        + " runs as")
  }

  @Test(
    arguments: [
      (0o600, "clientSecret = \"x\"", []), (0o644, "", []),
      (0o644, "clientSecretFile = \"x\"", []), (0o644, "proxy = \"http://p:1\"", []),
      (
        0o644, "clientSecret = \"x\"",
        ["c.toml: others can read the secret in it; run: chmod 0600 'c.toml'"]
      ),
      (
        0o604, "proxy = \"http://a:b@p:1\"",
        ["c.toml: others can read the secret in it; run: chmod 0600 'c.toml'"]
      ),
      (
        0o660, "",
        [
          "c.toml: its group can write to it and so choose what the host runs;"
            + " run: chmod g-w 'c.toml'"
        ]
      ),
    ] as [(UInt32, String, [String])])
  func warnsOfAModeThatIsTooOpen(mode: UInt32, line: String, warnings: [String]) throws {
    let file = try parse(namespace(line), mode: mode)
    #expect(file.warnings.map(\.description) == warnings)
  }
}
