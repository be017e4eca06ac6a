package import FileSupport

/// The browsers that can be told to open an address in a private window.
package enum PrivateBrowser {
  // What each calls it; the names are those of the programs and of their desktop entries.
  private static let options: [(option: String, programs: [String])] = [
    ("--private-window", ["firefox", "firefox-esr", "librewolf", "waterfox"]),
    (
      "--incognito",
      [
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "brave-browser",
        "brave", "vivaldi", "vivaldi-stable",
      ]
    ),
    ("--inprivate", ["microsoft-edge", "microsoft-edge-stable"]),
    ("--private", ["opera", "opera-stable"]),
    ("--incognito-mode", ["epiphany", "epiphany-browser"]),
    ("--private-browsing", ["falkon"]),
  ]

  /// The commands that open a private window, the person's own choice first.
  ///
  /// No other program is among them: one that ignored the wish would sign in where the person said
  /// not to.
  /// - Parameters:
  ///   - environment: `BROWSER`, whose entries count where the browser is known.
  ///   - desktopEntry: the desktop's default browser, such as `firefox-esr.desktop`.
  /// - Returns: programs with their arguments; `%s` in one stands for the address.
  package static func candidates(environment: Environment, desktopEntry: String?) -> [[String]] {
    var candidates: [[String]] = []
    for words in BrowserLauncher.named(in: environment) {
      guard let program = words.first, let option = option(of: program) else { continue }
      candidates.append([program, option] + words.dropFirst())
    }
    let suffix = ".desktop"
    if let desktopEntry, desktopEntry.hasSuffix(suffix) {
      let program = String(desktopEntry.dropLast(suffix.count))
      if let option = option(of: program) { candidates.append([program, option]) }
    }
    for (option, programs) in options {
      for program in programs where !candidates.contains([program, option]) {
        candidates.append([program, option])
      }
    }
    return candidates
  }

  /// Asks the desktop for its default browser (`xdg-settings(1)`).
  ///
  /// - Returns: the name of its desktop entry; nil where there is no such thing.
  package static func defaultDesktopEntry() -> String? {
    let command = ["xdg-settings", "get", "default-web-browser"]
    let text = try? ChildProcess.withOutput(
      of: command, limit: 1 << 10, timeout: .seconds(3), error: .null
    ) { bytes in
      unsafe bytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    }
    return text?.split(separator: "\n").first.map(String.init)
  }

  private static func option(of program: String) -> String? {
    let name = program.split(separator: "/").last.map(String.init) ?? ""
    return options.first { $0.programs.contains(name) }?.option
  }
}
