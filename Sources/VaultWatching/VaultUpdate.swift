public import VaultReader

/// A namespace's state, told when it is new.
public struct VaultUpdate: Sendable, Hashable {
  /// The state now.
  public let state: VaultState
  /// What is new about it.
  public let change: VaultChange
  /// How changes are noticed now.
  public let watchMode: VaultWatchMode

  /// Whether the session is another account's than the last session that was told of.
  public var isAccountChanged: Bool { change == .accountChanged }
}

/// What is new about a state.
///
/// An open list: more reasons may come, so a `switch` over it needs a default.
public struct VaultChange: Sendable, Hashable, CustomStringConvertible {
  private enum Kind: String {
    case current = "current state"
    case snapshot = "new snapshot"
    case accountChanged = "account changed"
    case condition = "state changed"
    case watchMode = "watching changed"
  }

  private let kind: Kind

  /// The first update of a sequence: the state as it is.
  public static let current = VaultChange(kind: .current)
  /// Another snapshot was published, or the snapshot went away.
  public static let snapshot = VaultChange(kind: .snapshot)
  /// Another snapshot was published, and it is another account's.
  public static let accountChanged = VaultChange(kind: .accountChanged)
  /// The snapshot is the same, but time has gone by or the host has come or gone.
  public static let condition = VaultChange(kind: .condition)
  /// The state is the same, but changes are noticed in another way.
  public static let watchMode = VaultChange(kind: .watchMode)

  /// Two or three words for people.
  public var description: String { kind.rawValue }
}

/// How changes of a snapshot are noticed.
public enum VaultWatchMode: Sendable, Hashable {
  /// By inotify, at once.
  case inotify
  /// By looking every second, for the reason given in one sentence.
  case polling(reason: String)
}
