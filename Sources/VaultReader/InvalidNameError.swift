import SessionModel

/// A text that is meant to name a namespace or an access group, and cannot.
public struct InvalidNameError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What a text was meant to name.
  public enum Kind: String, Sendable, Hashable {
    /// A namespace.
    case namespace
    /// An access group.
    case accessGroup = "access group"
  }

  /// What it was meant to name.
  public let kind: Kind
  /// The text as it was given.
  public let name: String

  /// Makes an error of a name and what it was to name.
  package init(kind: Kind, name: String) {
    self.kind = kind
    self.name = name
  }

  /// One sentence with the rule.
  public var description: String {
    "\(PrintableText.quoted(name)) is no \(kind.rawValue): use 1 to 64 letters, digits,"
      + " \".\", \"_\" and \"-\", the first of them a letter or a digit"
  }
}
