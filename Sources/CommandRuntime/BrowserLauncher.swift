package import FileSupport
import Glibc

/// Opens an address in the person's browser: `$BROWSER`, else what the desktop offers.
package struct BrowserLauncher: Sendable {
  /// Why no browser was opened.
  package enum Failure: Error, Equatable, CustomStringConvertible {
    /// The address is none that a browser may be sent to; it is not shown.
    case unfitAddress
    /// Nothing could be started; the programs that were tried.
    case noBrowser(tried: [String])

    /// One sentence with the mend.
    package var description: String {
      switch self {
      case .unfitAddress:
        "the address is not opened: it is neither https nor http on this machine"
      case .noBrowser(let tried):
        "no browser could be started (tried \(tried.joined(separator: ", ")));"
          + " set BROWSER or open the address yourself"
      }
    }
  }

  private let candidates: [[String]]

  /// Finds out what could open an address.
  ///
  /// - Parameter environment: `BROWSER`, a list with colons in which `%s` stands for the address.
  package init(environment: Environment) {
    candidates =
      Self.named(in: environment) + [["xdg-open"], ["sensible-browser"], ["gio", "open"]]
  }

  /// Tries these programs alone.
  ///
  /// - Parameter candidates: Programs with their arguments; `%s` in one stands for the address.
  package init(candidates: [[String]]) {
    self.candidates = candidates
  }

  /// The entries of `BROWSER`, each as words.
  static func named(in environment: Environment) -> [[String]] {
    (environment["BROWSER"] ?? "").split(separator: ":").map { entry in
      entry.split(separator: " ").map(String.init)
    }.filter { !$0.isEmpty }
  }

  /// The command lines that are tried for an address, in order.
  ///
  /// - Parameter address: The address.
  /// - Returns: Programs with their arguments; the address is one argument, whatever is in it.
  package func commands(for address: String) -> [[String]] {
    candidates.map { words in
      let filled = words.map { Self.filling($0, with: address) }
      return filled == words ? words + [address] : filled
    }
  }

  /// Whether a browser may be sent to an address (RFC 8252 section 8, no other scheme).
  ///
  /// - Parameter address: The address.
  /// - Returns: Whether it is https, or http on a loopback name, in printable ASCII.
  package static func isFit(_ address: String) -> Bool {
    guard address.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else { return false }
    if address.hasPrefix("https://") { return address.utf8.count > 8 }
    guard address.hasPrefix("http://") else { return false }
    let authority = address.dropFirst(7).prefix { !"/?#".contains($0) }
    return ["127.0.0.1", "[::1]", "localhost"].contains { host in
      guard authority.hasPrefix(host) else { return false }
      let rest = authority.dropFirst(host.count)
      return rest.isEmpty || (rest.hasPrefix(":") && rest.dropFirst().allSatisfy(\.isNumber))
    }
  }

  /// Opens an address with the first program that can be started, which goes on by itself.
  ///
  /// - Parameters:
  ///   - address: The address.
  ///   - ended: Told how the program ended, on a thread of its own; `xdg-open` ends with a status
  ///     other than 0 when it found no browser.
  /// - Returns: The program that was started.
  /// - Throws: `Failure` when the address is unfit or nothing could be started.
  @discardableResult
  package func open(
    _ address: String, ended: @escaping @Sendable (ChildProcess.Ending) -> Void = { _ in }
  ) throws(Failure) -> String {
    guard Self.isFit(address) else { throw .unfitAddress }
    for command in commands(for: address) {
      // A browser's own chatter is not ours to print.
      guard
        let child = try? ChildProcess(command, output: .null, error: .null, group: .session)
      else { continue }
      try? child.leave { if let ending = $0 { ended(ending) } }
      return child.program
    }
    throw .noBrowser(tried: candidates.compactMap(\.first))
  }

  // By hand: the regular expressions that `firstRange(of:)` brings would slow down the start.
  private static func filling(_ text: String, with address: String) -> String {
    var result = ""
    var rest = text[...]
    while let percent = rest.firstIndex(of: "%") {
      let isMark = rest[percent...].hasPrefix("%s")
      result += rest[..<percent] + (isMark ? address : "%")
      rest = rest[percent...].dropFirst(isMark ? 2 : 1)
    }
    return result + rest
  }
}
