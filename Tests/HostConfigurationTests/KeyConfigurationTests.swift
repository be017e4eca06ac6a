import FileSupport
import HostConfiguration
import Testing

@Suite struct KeyConfigurationTests {
  private static func parse(_ text: String) throws(ConfigurationError) -> KeyConfiguration {
    try ConfigurationFile.parse(
      Array(text.utf8), path: "config.toml", environment: .init([:])
    ).key
  }

  @Test func theKeyIsInItsFileWhereNothingIsSaid() throws {
    #expect(try Self.parse("").storage == .file)
  }

  @Test func whatIsNamedIsTaken() throws {
    #expect(try Self.parse("keyCommand = [\"pass\", \"x\"]").storage == .command)
    #expect(try Self.parse("keyCommand = [\"pass\", \"x\"]").command == ["pass", "x"])
    #expect(try Self.parse("keyCredential = \"x\"").storage == .credential)
    #expect(try Self.parse("keyStorage = \"credential\"").credential == "tokenvault-key")
    let both = try Self.parse("keyStorage = \"passphrase\"\nkeyCommand = [\"pass\", \"x\"]")
    #expect(both.storage == .passphrase)
    #expect(both.command == ["pass", "x"])
    #expect(try Self.parse("passphraseCommand = [\"zenity\"]").storage == .file)
  }

  @Test(arguments: [
    "keyStorage = \"passphrase\"", "keyCommand = [\"pass\", \"x\"]", "keyCredential = \"x\"",
  ])
  func theHostFollowsTheSessionWhereTheKeyDoesNotOpenByItself(storage: String) throws {
    #expect(try !Self.parse(storage).locksWithSession)
    #expect(try Self.parse("lockWithSession = true\n" + storage).locksWithSession)
    #expect(try !Self.parse("lockWithSession = false\n" + storage).locksWithSession)
  }

  @Test func aSystemServiceHasNoSessionToFollow() {
    let error = #expect(throws: ConfigurationError.self) {
      _ = try ConfigurationFile.parse(
        Array("keyCredential = \"x\"\nlockWithSession = true".utf8), path: "config.toml",
        environment: .init(["TOKENVAULT_RUNTIME_DIR": "/run/tokenvault"]))
    }
    #expect(
      error?.description == "config.toml: \"lockWithSession\" is true, and the user of a system"
        + " service has no session that could be locked; remove it")
  }

  @Test(arguments: [
    (
      "keyStorage = \"pasphrase\"",
      "config.toml:1: \"keyStorage\" at the top level is \"pasphrase\" and has to be \"file\","
        + " \"command\", \"credential\" or \"passphrase\"; did you mean \"passphrase\"?"
    ),
    (
      "keyStorage = \"command\"",
      "config.toml:1: \"keyStorage\" at the top level is \"command\", and no keyCommand is named;"
        + " for example keyCommand = [\"secret-tool\", \"lookup\", \"application\", \"tokenvault\"]"
    ),
    (
      "keyCredential = \"../key\"",
      "config.toml:1: \"keyCredential\" at the top level is \"../key\", which is no credential's"
        + " name; write it as in LoadCredentialEncrypted=tokenvault-key"
    ),
    (
      "keyCredential = \".key\"",
      "config.toml:1: \"keyCredential\" at the top level is \".key\", which is no credential's"
        + " name; write it as in LoadCredentialEncrypted=tokenvault-key"
    ),
    (
      "lockWithSession = true",
      "config.toml:1: \"lockWithSession\" at the top level is true, and the key is in a file that"
        + " opens by itself; choose another keyStorage, or remove lockWithSession"
    ),
    (
      "keyStorage = \"passphrase\"\nlockWithSession = \"yes\"",
      "config.toml:2: \"lockWithSession\" at the top level has to be true or false, not a string;"
        + " for example lockWithSession = true"
    ),
    (
      "keyComand = [\"pass\"]",
      "config.toml:1: unknown key \"keyComand\" at the top level; did you mean \"keyCommand\"?"
    ),
  ])
  func aMistakeIsNamedWithItsLine(text: String, message: String) {
    let error = #expect(throws: ConfigurationError.self) { _ = try Self.parse(text) }
    #expect(error?.description == message)
  }
}
