import DevelopmentProvider
import HTTPExchange
import TestSupport
import Testing

/// Sign-ins by the built programs, with everything between them that belongs to the desktop.
@Suite(.timeLimit(.minutes(2)))
struct SignInProgramTests {
  private static let scheme = "com.example.app"
  private static let ownRedirect = scheme + "://sign-in/callback"

  /// A machine with a host, whose provider also takes a redirect with a scheme of its own.
  private struct Desk {
    let machine: HostMachine
    let provider: LoopbackProvider
    let host: RunningTool

    init(_ configuration: String = "") async throws {
      machine = try HostMachine()
      provider = try LoopbackProvider.approving { $0.clients[0].redirectURIs.append(ownRedirect) }
      try machine.configure(issuer: provider.issuer, configuration)
      host = try await machine.startHost()
    }

    /// Puts a program into a directory of its own.
    func install(_ script: String, as name: String) throws {
      try machine.root.write("#!/bin/sh\n" + script, to: name, mode: 0o700)
    }

    /// Starts a sign-in and returns it with the address that the provider sends the browser to.
    func beginSignIn(
      _ arguments: [String] = ["--no-browser"], environment: [String: String] = [:]
    ) async throws -> (command: RunningTool, address: String) {
      let command = try RunningTool(
        machine.request(
          "tokenvault", ["sign-in", "primary"] + arguments, environment: environment))
      let line = try await command.error.next { $0.contains(provider.issuer) }
      let url = String(line.drop { $0 == " " })
      let answer = try await HTTPClient().send(HTTPRequest(url: url))
      return (command, answer.headers["Location"] ?? "")
    }

    /// Runs a command line that another program was told, such as a desktop by its entry.
    func run(_ words: [String]) async throws -> ToolResult {
      try await ToolRunner.run(
        ToolRequest(words[0], Array(words.dropFirst()), environment: machine.environment))
    }
  }

  private static let goesOn = "The sign-in goes on where it was begun.\n"
  private static let usedBefore =
    "tokenvault: error: the host: no sign-in waits for an address: this one was used before, or its"
    + " sign-in is over; start the sign-in again\n"

  @Test func aDesktopEntryNamesTheWholePathOfAProgramFoundInPATH() async throws {
    let program = PackageLayout.product("tokenvault")
    let directory = program.split(separator: "/").dropLast().joined(separator: "/")
    let result = try await ToolRunner.run(
      ToolRequest(
        "/bin/sh", ["-c", "tokenvault deliver --desktop-entry \(Self.scheme)"],
        environment: ["PATH": "/\(directory)"], limit: .seconds(20)))
    #expect(result.error == "")
    let path = try String(
      #require(result.output.split(separator: "\n").first { $0.hasPrefix("Exec=") }))
    #expect(path.hasPrefix("Exec=/") && path.hasSuffix("/tokenvault deliver %u"), "\(path)")
  }

  @Test func theDesktopsHandlerBringsARedirectWithAnOwnScheme() async throws {
    let desk = try await Desk("redirect = \"\(Self.ownRedirect)\"")
    let entry = try await desk.machine.vault("deliver", "--desktop-entry", Self.scheme)
    let lines = entry.output.split(separator: "\n").map(String.init)
    #expect(lines.first == "[Desktop Entry]")
    #expect(lines.contains("MimeType=x-scheme-handler/\(Self.scheme);"))
    let handler = try #require(lines.first { $0.hasPrefix("Exec=") }).dropFirst("Exec=".count)
    func open(_ address: String) async throws -> ToolResult {
      try await desk.run(
        handler.split(separator: " ").map { $0 == "%u" ? address : String($0) })
    }
    let (command, address) = try await desk.beginSignIn()
    #expect(address.hasPrefix(Self.ownRedirect + "?"))
    // What any other program may start the handler with.
    for forged in [address.replacing("state=", with: "state=x"), Self.ownRedirect + "?code=c"] {
      let refused = try await open(forged)
      #expect(refused.status == 77)
      #expect(!refused.error.contains("?"), "\(refused.error)")
    }
    let taken = try await open(address)
    #expect(taken.output == Self.goesOn, "\(taken.error)")
    let end = await command.result()
    #expect(end.status == 0, "\(end.error)")
    #expect(end.output == "primary is signed in\n")
    let again = try await open(address)
    #expect(again.status == 77)
    #expect(again.error == Self.usedBefore)
    #expect(try await desk.machine.vault("token").status == 0)
    #expect(desk.provider.count(of: .token) == 1)
    #expect(await desk.machine.end(desk.host).status == 0)
  }

  @Test(arguments: [true, false])
  func anAddressIsBroughtByHandFromAnotherMachine(isRead: Bool) async throws {
    let desk = try await Desk()
    desk.provider.overrides.discovery = [.remove("device_authorization_endpoint")]
    let (command, address) = try await desk.beginSignIn(
      environment: ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"])
    #expect(command.error.events.contains("  tokenvault sign-in --complete -"))
    func complete(_ address: String) async throws -> ToolResult {
      isRead
        ? try await desk.machine.vault("sign-in", "--complete", "-", input: .text(address + "\n"))
        : try await desk.machine.vault("sign-in", "primary", "--complete", address)
    }
    let foreign = try await complete("https://elsewhere.example/?code=c&state=s")
    #expect(foreign.status == 77)
    #expect(
      foreign.error
        == "tokenvault: error: the host: this is not the address the provider sent the browser to:"
        + " copy the whole address from the browser after signing in\n")
    #expect(try await complete(address).output == Self.goesOn)
    #expect(await command.result().status == 0)
    #expect(try await complete(address).error == Self.usedBefore)
    #expect(await desk.machine.end(desk.host).status == 0)
  }

  @Test func aSignOutInABrowserIsRefusedAtOnceWhereNoneComesBack() async throws {
    let desk = try await Desk()
    #expect(try await desk.machine.signIn().status == 0)
    let refused = try await ToolRunner.run(
      desk.machine.request(
        "tokenvault", ["sign-out", "--browser"],
        environment: ["SSH_CONNECTION": "192.0.2.1 1 192.0.2.2 22"]))
    #expect(refused.status == 64)
    #expect(
      refused.error.hasPrefix(
        "tokenvault: error: over SSH no browser of yours reaches this machine, and nothing changed;"
          + " run: tokenvault sign-out primary"))
    #expect(try await desk.machine.vault("token").status == 0)
    #expect(await desk.machine.end(desk.host).status == 0)
  }

  @Test(arguments: ["true", "[\"PATH/fox\", \"--secret=%s\"]"])
  func thePrivateWindowIsOpenedByTheRightBrowser(value: String) async throws {
    let root = try TemporaryDirectory()
    let script = """
      #!/bin/sh
      printf '%s\\n' "$@" > '\(root.file("seen"))'
      exec curl --silent --location --output /dev/null -- "${2:-${1#*=}}"
      """
    for name in ["firefox", "fox"] { try root.write(script, to: name, mode: 0o700) }
    try root.write("#!/bin/sh\necho firefox.desktop\n", to: "xdg-settings", mode: 0o700)
    let desk = try await Desk("privateBrowser = \(value.replacing("PATH", with: root.path))")
    let result = try await ToolRunner.run(
      desk.machine.request(
        "tokenvault", ["sign-in"],
        environment: ["DISPLAY": ":0", "PATH": "\(root.path):\(Environment.searchPath)"]))
    #expect(result.status == 0, "\(result.error)")
    #expect(result.error.hasPrefix("A private window was opened to sign in."))
    let seen = try TestFile.text(root.file("seen")).split(separator: "\n").map(String.init)
    let options = value == "true" ? ["--private-window"] : []
    #expect(seen.dropLast() == options[...])
    #expect(
      seen.last?.hasPrefix((value == "true" ? "" : "--secret=") + desk.provider.issuer) == true)
    #expect(await desk.machine.end(desk.host).status == 0)
  }

  @Test func withoutAPrivateWindowTheAddressIsShownAndNoBrowserStarted() async throws {
    let desk = try await Desk("privateBrowser = true")
    let opened = desk.machine.root.file("opened")
    let names = ["xdg-open", "sensible-browser", "gio", "lynx"]
    for name in names { try desk.install("echo > '\(opened)'\n", as: name) }
    let (command, address) = try await desk.beginSignIn(
      [], environment: ["DISPLAY": ":0", "BROWSER": "lynx", "PATH": desk.machine.root.path])
    #expect(
      command.error.events.first
        == "To sign in, open this address in a private window of a browser on this machine:")
    _ = try await HTTPClient().send(HTTPRequest(url: address))
    #expect(await command.result().status == 0)
    #expect(!TestFile.exists(opened))
    #expect(await desk.machine.end(desk.host).status == 0)
  }
}
