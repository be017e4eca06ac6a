import FileSupport
import SecretMemory

/// An access token that a simulation has made up.
public struct IssuedToken: Sendable, Hashable {
  /// How many tokens the simulation had made up with this one.
  public let number: Int
  /// The token itself: its first eight characters are its own, so that a part of it is known too.
  public let text: String
  /// Whose it is.
  public let accountName: String

  /// When it has ended for everybody, on the boot clock; nil when it never does.
  package internal(set) var endsAt: Duration?
  /// When it was taken away before its end, on the boot clock, and by what.
  package internal(set) var withdrawal: Withdrawal?

  /// What takes a token away before its end.
  package struct Withdrawal: Sendable, Hashable {
    /// When, on the boot clock.
    package let at: Duration
    /// By what, as the end of a sentence.
    package let cause: String

    /// Makes a withdrawal.
    package init(at: Duration, cause: String) {
      self.at = at
      self.cause = cause
    }
  }

  /// What is looked for in an output.
  package var mark: String { String(text.prefix(Self.markLength)) }

  private static let markLength = 8

  /// Makes a token up.
  static func new(number: Int, accountName: String) -> IssuedToken {
    IssuedToken(
      number: number, text: "\(hexadecimal(randomBytes(4)))-simulated-token-\(number)",
      accountName: accountName)
  }
}

/// Bytes as two digits each.
func hexadecimal(_ bytes: [UInt8]) -> String {
  bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
}
