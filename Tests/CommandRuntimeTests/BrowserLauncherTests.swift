import CommandRuntime
import FileSupport
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BrowserLauncherTests {
  @Test func triesTheBrowserThatIsNamedFirst() {
    let launcher = BrowserLauncher(environment: .init(["BROWSER": "lynx:fox --tab %s:: "]))
    #expect(
      launcher.commands(for: "https://a/?x=1&y=%s;`id`") == [
        ["lynx", "https://a/?x=1&y=%s;`id`"], ["fox", "--tab", "https://a/?x=1&y=%s;`id`"],
        ["xdg-open", "https://a/?x=1&y=%s;`id`"],
        ["sensible-browser", "https://a/?x=1&y=%s;`id`"],
        ["gio", "open", "https://a/?x=1&y=%s;`id`"],
      ])
  }

  @Test(arguments: [
    ("https://id.example/authorize?a=b", true), ("http://127.0.0.1:8400/x", true),
    ("http://localhost/x", true), ("http://[::1]:80/", true), ("http://id.example/", false),
    ("http://127.0.0.1.example/", false), ("http://localhost.example/", false),
    ("http://127.0.0.1@evil.example/", false), ("http://127.0.0.1:80@evil.example/", false),
    ("file:///etc/passwd", false), ("javascript:alert(1)", false), ("--help", false),
    ("https://", false), ("https://a/ b", false), ("https://a/\u{e9}", false), ("", false),
  ])
  func na07OpensSafeAddressesOnly(address: String, isFit: Bool) {
    #expect(BrowserLauncher.isFit(address) == isFit)
  }

  @Test func na07PassesTheAddressAsOneWordWithoutAShell() async throws {
    let directory = try TemporaryDirectory()
    let script = try directory.write(
      "#!/bin/sh\nprintf '%s|' \"$@\" > '\(directory.file("seen"))'\n", to: "browser", mode: 0o700)
    let launcher = BrowserLauncher(environment: .init(["BROWSER": script]))
    let address = "https://id.example/?a=1&b=$(touch%20x);`id`'\""
    let ended = Gate()
    let program = try launcher.open(address) { _ in ended.open() }
    try await ended.wait()
    #expect(program == script)
    #expect(try TestFile.text(directory.file("seen")) == address + "|")
  }

  @Test func saysWhatItRefusesWithoutShowingIt() {
    let launcher = BrowserLauncher(environment: .init([:]))
    let error = #expect(throws: BrowserLauncher.Failure.self) {
      try launcher.open("http://id.example/?code=hunter2")
    }
    #expect(
      error?.description
        == "the address is not opened: it is neither https nor http on this machine")
    #expect(
      BrowserLauncher.Failure.noBrowser(tried: ["fox", "xdg-open"]).description
        == "no browser could be started (tried fox, xdg-open); "
        + "set BROWSER or open the address yourself")
  }
}
