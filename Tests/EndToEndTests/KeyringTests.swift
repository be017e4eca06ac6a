import DevelopmentProvider
import Glibc
import TestSupport
import Testing

/// The key with real keepers: a keyring, a password store, a service manager's credential.
@Suite(.timeLimit(.minutes(3)))
struct KeyringTests {
  /// Signs in, ends the host, starts it again and renews, with a key that is kept elsewhere.
  private func goesOnOverARestart(
    _ machine: HostMachine, _ start: () async throws -> RunningTool
  ) async throws {
    for round in 1...2 {
      let host = try await start()
      try await host.error.next { $0.hasSuffix("unlocked") }
      if round == 1 {
        #expect(try await machine.signIn().status == 0)
      }
      #expect(try await machine.vault("renew", "primary").status == 0)
      let status = try await machine.vault("status")
      #expect(status.output.contains("What is stored is protected by a key"))
      _ = await machine.end(host)
    }
    let text = TestFile.names(in: machine.root.file("keys")).joined(separator: " ")
    #expect(text.contains("master.key"))
  }

  @Test func aKeyOfGnomeKeyringOpensTheStore() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let lookup = #"keyCommand = ["secret-tool", "lookup", "application", "tokenvault"]"#
    try machine.root.write(
      lookup + "\n" + String(decoding: machine.root.read("config.toml"), as: UTF8.self),
      to: "config.toml")
    let program = PackageLayout.product("tokenvault-host")
    // The keyring has a bus of its own, on which the host finds it, for as long as cat waits.
    let script = """
      printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1
      '\(program)' new-key | secret-tool store --label=TokenVault application tokenvault
      echo "$DBUS_SESSION_BUS_ADDRESS"
      exec cat
      """
    let keyring = try RunningTool(
      ToolRequest(
        "dbus-run-session", ["--", "sh", "-c", script],
        environment: machine.environment.merging(["XDG_RUNTIME_DIR": machine.root.path]) { $1 },
        input: .open, limit: .seconds(120)))
    let address = try await keyring.output.next()
    try await goesOnOverARestart(machine) {
      try await machine.startHost(environment: ["DBUS_SESSION_BUS_ADDRESS": address])
    }
    keyring.closeInput()
    _ = await keyring.result()
  }

  @Test func aKeyOfAServicesCredentialOpensTheStore() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    try machine.root.write(
      "keyCredential = \"session-key\"\n"
        + String(decoding: machine.root.read("config.toml"), as: UTF8.self), to: "config.toml")
    _ = try machine.root.makeDirectory("credentials")
    let key = try await machine.host("new-key")
    try machine.root.write(key.output, to: "credentials/session-key", mode: 0o400)
    try await goesOnOverARestart(machine) {
      try await machine.startHost(
        environment: ["CREDENTIALS_DIRECTORY": machine.root.file("credentials")])
    }
  }

  @Test func aReloadTakesOverAnotherKeyCommand() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let configuration = String(decoding: try machine.root.read("config.toml"), as: UTF8.self)
    let key = try await machine.host("new-key")
    try machine.root.write(key.output, to: "printed-key", mode: 0o600)
    try machine.root.write("keyCommand = [\"false\"]\n" + configuration, to: "config.toml")
    let host = try await machine.startHost()
    try await host.error.next { $0.contains("the host stays locked") }
    let path = machine.root.file("printed-key")
    try machine.root.write(
      "keyCommand = [\"cat\", \"\(path)\"]\n" + configuration, to: "config.toml")
    host.send(signal: SIGHUP)
    try await host.error.next { $0.contains("was read again: 1 namespace, 1 as before") }
    let unlocked = try await machine.vault("unlock")
    #expect(unlocked.output == "The host is unlocked.\n", "\(unlocked.error)")
    // Where the key is kept stays as it was at the start, however often something else is named.
    try machine.root.write("keyStorage = \"file\"\n" + configuration, to: "config.toml")
    for _ in 1...2 {
      host.send(signal: SIGHUP)
      try await host.error.next { $0.contains("keyStorage counts from the next start") }
      try await host.error.next { $0.contains("was read again") }
    }
    #expect(await machine.end(host).status == 0)
  }

  @Test(arguments: [("\n", "the passphrase is empty"), ("one\n", "the two passphrases differ")])
  func aNewPassphraseIsNeededTwice(input: String, problem: String) async throws {
    let machine = try HostMachine()
    try machine.configure(issuer: "http://127.0.0.1:1")
    let configuration = String(decoding: try machine.root.read("config.toml"), as: UTF8.self)
    try machine.root.write("keyStorage = \"passphrase\"\n" + configuration, to: "config.toml")
    let host = try await machine.startHost()
    let refused = try await machine.vault("unlock", input: .text(input))
    #expect(refused.status == 64)
    #expect(
      refused.error
        == "tokenvault: error: \(problem), and a new one is needed twice, a line each;"
        + " nothing changed\n")
    #expect(try await machine.vault("unlock", input: .text("one\none\n")).status == 0)
    #expect(await machine.end(host).status == 0)
  }

  @Test func aPassphraseIsPipedInAndTheKeyMovesFromPlaceToPlace() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let configuration = String(decoding: try machine.root.read("config.toml"), as: UTF8.self)
    func configure(_ lines: String) throws {
      try machine.root.write(lines + "\n" + configuration, to: "config.toml")
    }
    var host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    _ = await machine.end(host)
    // A passphrase in place of the key file.
    try configure("keyStorage = \"passphrase\"\npassphraseCommand = [\"echo\", \"two words\"]")
    let refused = try await machine.host()
    #expect(refused.status == 78)
    #expect(refused.error.contains("run: tokenvault-host rekey"))
    #expect(try await machine.host("rekey").status == 0)
    try configure("keyStorage = \"passphrase\"")
    host = try await machine.startHost()
    #expect(try await machine.vault("renew", "primary").status == 77)
    let wrong = try await machine.vault("unlock", input: .text("three words\n"))
    #expect(wrong.status == 77)
    #expect(wrong.error.contains("the passphrase is not the right one"))
    // What the command finds out by itself, the host has not said.
    let empty = try await machine.vault("unlock", input: .text("\n"))
    #expect(empty.status == 64)
    #expect(
      empty.error == "tokenvault: error: the passphrase is empty; nothing changed\n")
    #expect(try await machine.vault("unlock", input: .text("two words\n")).status == 0)
    #expect(try await machine.vault("renew", "primary").status == 0)
    #expect(try await machine.vault("lock").status == 0)
    #expect(try await machine.vault("token").status == 0, "it has not ended yet")
    #expect(try await machine.vault("renew", "primary").status == 77)
    _ = await machine.end(host)
    // And back.
    try configure("passphraseCommand = [\"echo\", \"two words\"]")
    #expect(try await machine.host("rekey").status == 0)
    host = try await machine.startHost()
    #expect(try await machine.vault("renew", "primary").status == 0)
    _ = await machine.end(host)
  }
}
