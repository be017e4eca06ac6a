package import FileSupport

/// A window of the person's terminal in which a command's output stays until Enter is pressed.
package struct TerminalWindow: Sendable {
  /// No terminal could be started.
  package struct Failure: Error, Equatable, CustomStringConvertible {
    /// The programs that were tried.
    package let tried: [String]

    /// One sentence with the mend.
    package var description: String {
      "no terminal could be started (tried \(tried.joined(separator: ", "))); set TERMINAL to one"
    }
  }

  // What stands behind a terminal's name, so that the words behind it are a command.
  private static let known = [
    ["x-terminal-emulator", "-e"], ["foot"], ["alacritty", "-e"], ["kitty"], ["konsole", "-e"],
    ["gnome-terminal", "--"], ["xfce4-terminal", "-x"], ["xterm", "-e"],
  ]
  // The words of the command are the shell's own arguments: it reads none of them as its language.
  private static let script =
    "\"$0\" \"$@\"; printf '\\nPress Enter to close this window. '; read -r _"

  private let terminals: [[String]]

  /// Finds out what could open a window.
  ///
  /// - Parameter environment: `TERMINAL`, a program with its arguments, without the `-e`.
  package init(environment: Environment) {
    let named = (environment["TERMINAL"] ?? "").split(separator: " ").map(String.init)
    let own = Self.known.first {
      $0.first == named.first?.split(separator: "/").last.map(String.init)
    }
    terminals =
      (named.isEmpty ? [] : [named + (own.map { Array($0.dropFirst()) } ?? ["-e"])]) + Self.known
  }

  /// The command lines that are tried, in order.
  ///
  /// - Parameter command: the program to run in the window, and its arguments.
  /// - Returns: programs with their arguments.
  package func commands(for command: [String]) -> [[String]] {
    terminals.map { $0 + ["/bin/sh", "-c", Self.script] + command }
  }

  /// Opens a window with the first terminal that can be started, which goes on by itself.
  ///
  /// - Parameters:
  ///   - command: the program to run in it, and its arguments.
  ///   - closed: called when the terminal has ended, should this process live as long.
  /// - Returns: the terminal.
  /// - Throws: `Failure` when none could be started.
  @discardableResult
  package func open(
    _ command: [String], closed: @escaping @Sendable () -> Void = {}
  ) throws(Failure) -> String {
    for words in commands(for: command) {
      if let child = try? ChildProcess(words, output: .null, error: .null, group: .session) {
        try? child.leave { _ in closed() }
        return child.program
      }
    }
    throw Failure(tried: terminals.compactMap(\.first))
  }
}
