import CommandRuntime
import FileSupport
import Testing

@Suite struct PrivateBrowserTests {
  private static func candidates(_ browser: String, _ entry: String?) -> [[String]] {
    PrivateBrowser.candidates(
      environment: Environment(["BROWSER": browser]), desktopEntry: entry)
  }

  @Test func thePersonsOwnBrowserComesFirst() {
    let found = Self.candidates("lynx:/opt/bin/brave --new %s", "firefox-esr.desktop")
    #expect(
      found.prefix(4) == [
        ["/opt/bin/brave", "--incognito", "--new", "%s"], ["firefox-esr", "--private-window"],
        ["firefox", "--private-window"], ["librewolf", "--private-window"],
      ])
    #expect(found.count { $0.first == "firefox-esr" } == 1)
  }

  @Test(arguments: ["lynx %s", "xdg-open", "", "firefox2"])
  func whatIsNotKnownToHaveAPrivateWindowIsNeverStarted(browser: String) {
    for entry in [nil, "lynx.desktop", "firefox", ".desktop", ""] {
      let found = Self.candidates(browser, entry)
      #expect(found == Self.candidates("", nil))
      #expect(found.allSatisfy { $0.count == 2 && $0[1].hasPrefix("--") && $0[1].contains("i") })
    }
  }

  @Test func theAddressComesBehindTheOption() {
    let launcher = BrowserLauncher(candidates: [["firefox", "--private-window"], ["x", "a=%s"]])
    #expect(
      launcher.commands(for: "https://a/?x=%s") == [
        ["firefox", "--private-window", "https://a/?x=%s"], ["x", "a=https://a/?x=%s"],
      ])
  }
}
