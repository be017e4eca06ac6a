import FileSupport
import Glibc

/// Why no passphrase could be had, in one sentence.
package struct PassphrasePromptError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The sentence, with the mend.
  package let description: String
}

/// Asks the person at the terminal for a passphrase, which is not shown.
package enum PassphrasePrompt {
  /// The greatest number of bytes of a passphrase.
  package static let sizeLimit = 1024

  /// Asks by `systemd-ask-password(1)`; what is no terminal is read up to its first line end.
  ///
  /// - Parameter text: what the person is asked.
  /// - Returns: the passphrase with its line end, if it has one.
  /// - Throws: `PassphrasePromptError`.
  package static func ask(_ text: String) throws(PassphrasePromptError) -> [UInt8] {
    guard isatty(STDIN_FILENO) == 1 else { return try readLine() }
    do {
      return try ChildProcess.withOutput(
        of: ["systemd-ask-password", "--timeout=0", text], limit: sizeLimit,
        timeout: .seconds(600), input: .inherited, group: .ours
      ) { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
    } catch {
      throw PassphrasePromptError(
        description: "no passphrase was given: \(error); it may also be piped in")
    }
  }

  // A byte at a time: what comes behind the line is for whoever reads next.
  private static func readLine() throws(PassphrasePromptError) -> [UInt8] {
    var line: [UInt8] = []
    while line.count < sizeLimit {
      var byte: UInt8 = 0
      let count: Int
      do throws(Errno) {
        count = try retryingInterrupted { unsafe read(STDIN_FILENO, &byte, 1) }
      } catch {
        throw PassphrasePromptError(description: "standard input: read: \(error)")
      }
      if count == 0 { return line }
      line.append(byte)
      if byte == UInt8(ascii: "\n") { return line }
    }
    throw PassphrasePromptError(
      description: "the passphrase is longer than \(sizeLimit) bytes")
  }
}
