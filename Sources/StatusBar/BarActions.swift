public import SessionModel

/// What a click on a bar can ask for.
public enum BarAction: Sendable, Hashable, CaseIterable {
  /// Have the host get a new access token now.
  case renew
  /// Have the host sign a person in, in the browser.
  case signIn
  /// Show the state of the namespace in a terminal's window.
  case status

  /// The action of a mouse button, as each bar's convention numbers them.
  ///
  /// The left one does what the state calls for, signing in or showing the state; the middle one
  /// renews, the right one shows the state.
  ///
  /// - Parameters:
  ///   - button: 1 for the left one, 2 for the middle one, 3 for the right one.
  ///   - condition: what the bar shows.
  /// - Returns: the action; nil for any other button.
  public static func of(button: Int, in condition: BarCondition) -> BarAction? {
    switch button {
    case 1: condition.needsSignIn ? .signIn : .status
    case 2: .renew
    case 3: .status
    default: nil
    }
  }

  /// The arguments with which `tokenvault` does it.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - accessGroup: the access group.
  /// - Returns: the words behind the program's path.
  package func arguments(namespace: Namespace, accessGroup: AccessGroup) -> [String] {
    switch self {
    case .renew: ["renew", namespace.name]
    case .signIn: ["sign-in", namespace.name]
    case .status:
      ["status", "--window"] + BarActions.selection(namespace: namespace, accessGroup: accessGroup)
    }
  }
}

/// The command lines behind the actions of one namespace, safe in every bar without a quote.
public struct BarActions: Sendable, Hashable {
  private let program: String
  private let namespace: Namespace
  private let group: AccessGroup

  /// Makes the command lines; nil where the path is of another kind.
  ///
  /// - Parameters:
  ///   - program: the absolute path of `tokenvault`, of letters, digits, `/`, `.`, `_`, `+`, `-`, `@`,
  ///     `,` and `=`, 200 bytes at most. A bar's parser, and the shell that some bars start, take these
  ///     as they are; whatever else a path may hold, some bar cannot be given.
  ///   - namespace: the namespace.
  ///   - accessGroup: the access group.
  public init?(
    program: String, namespace: Namespace = .primary, accessGroup: AccessGroup = .default
  ) {
    guard program.hasPrefix("/"), program.utf8.count <= 200,
      program.utf8.allSatisfy(Self.isPlain)
    else { return nil }
    self.program = program
    self.namespace = namespace
    group = accessGroup
  }

  /// The program and its arguments.
  ///
  /// - Parameter action: the action.
  /// - Returns: the words, none of which needs a quote.
  public func words(for action: BarAction) -> [String] {
    [program] + action.arguments(namespace: namespace, accessGroup: group)
  }

  /// The words with a space between them.
  func line(for action: BarAction) -> String { words(for: action).joined(separator: " ") }

  /// The command line that a bar starts for a format.
  ///
  /// - Parameters:
  ///   - format: the format.
  ///   - options: more options of `watch`, none of which needs a quote in any bar.
  /// - Returns: the words with a space between them.
  func watching(_ format: BarFormat, options: [String]) -> String {
    ([program, "watch", "--format", format.rawValue]
      + Self.selection(namespace: namespace, accessGroup: group) + options)
      .joined(separator: " ")
  }

  // Always named: the words of a record do not depend on what is the default today.
  fileprivate static func selection(namespace: Namespace, accessGroup: AccessGroup) -> [String] {
    ["-n", namespace.name] + (accessGroup == .default ? [] : ["-g", accessGroup.name])
  }

  /// The command line that follows the changes without a bar.
  var watchingChanges: String {
    ([program, "watch"] + Self.selection(namespace: namespace, accessGroup: group))
      .joined(separator: " ")
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    default: Array("/._+-@,=".utf8).contains(byte)
    }
  }
}
