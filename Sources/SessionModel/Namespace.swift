/// The name of one signed-in account's place in the vault, and of its directory.
///
/// 1 to 64 bytes of `a-z A-Z 0-9 . _ -`, the first of them a letter or a digit. So a name is one
/// path component, never hidden, never `..`, and one spelling only (no Unicode normalisation).
public struct Namespace: Sendable, Hashable, CustomStringConvertible {
  /// The namespace that is meant when none is named.
  public static let primary = Namespace(unchecked: "primary")

  /// The name itself.
  public let name: String

  /// Creates a namespace; nil when the name breaks the rule above.
  public init?(_ name: String) {
    guard isPlainName(name) else { return nil }
    self.name = name
  }

  private init(unchecked name: String) {
    self.name = name
  }

  /// The name itself.
  public var description: String { name }
}

/// A set of readers that share one key: who may open the reader box of a snapshot.
///
/// The name obeys the same rule as `Namespace`.
public struct AccessGroup: Sendable, Hashable, CustomStringConvertible {
  /// The group that is meant when none is named.
  public static let `default` = AccessGroup(unchecked: "default")

  /// The name itself.
  public let name: String

  /// Creates an access group; nil when the name breaks the rule of `Namespace`.
  public init?(_ name: String) {
    guard isPlainName(name) else { return nil }
    self.name = name
  }

  private init(unchecked name: String) {
    self.name = name
  }

  /// The name itself.
  public var description: String { name }
}

private func isPlainName(_ name: String) -> Bool {
  guard (1...64).contains(name.utf8.count), let first = name.utf8.first else { return false }
  guard isLetterOrDigit(first) else { return false }
  return name.utf8.allSatisfy { isLetterOrDigit($0) || $0 == 0x2E || $0 == 0x5F || $0 == 0x2D }
}

private func isLetterOrDigit(_ byte: UInt8) -> Bool {
  (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
}
