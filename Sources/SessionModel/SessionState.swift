/// What a reader knows of a session: whether its access token may be used.
public enum SessionState: Sendable, Hashable {
  /// The token is good for longer than the margin.
  case valid
  /// The token is good, but for less than the margin.
  case expiring
  /// The token has ended.
  case expired
  /// The token's end is not known; it is usable, but nothing can be promised of it.
  case expiryUnknown
  /// The person signed out.
  case signedOut
  /// The session is over and a person has to sign in again.
  case reauthenticationRequired(ReauthenticationReason)
  /// No snapshot has ever been published here, or it is gone.
  case absent
  /// The snapshot is genuine, but of a kind that this reader does not know.
  case unsupportedRecord
  /// The access group's key is missing or does not open the snapshot's reader box.
  case keyUnavailable
  /// The snapshot is damaged.
  case corrupt
  /// The snapshot has a format version that this reader does not know.
  case unsupportedVersion
  /// The snapshot, its key or a directory has an owner or mode that must not be trusted.
  case permission
  /// A system call failed with this `errno`.
  case storage(errno: Int32)
}

extension SessionState {
  /// Whether the access token still opens something.
  ///
  /// An expiring one is handed out only to those who ask for no more than it has left.
  public var isUsable: Bool {
    switch self {
    case .valid, .expiring, .expiryUnknown: true
    default: false
    }
  }

  /// Whether something stands in the way of reading the snapshot.
  package var isError: Bool {
    switch self {
    case .keyUnavailable, .corrupt, .unsupportedVersion, .permission, .storage: true
    default: false
    }
  }

  /// The stable word used in `status --json`, in kebab case.
  public var word: String {
    switch self {
    case .valid: "valid"
    case .expiring: "expiring"
    case .expired: "expired"
    case .expiryUnknown: "expiry-unknown"
    case .signedOut: "signed-out"
    case .reauthenticationRequired: "reauthentication-required"
    case .absent: "absent"
    case .unsupportedRecord: "unsupported-record"
    case .keyUnavailable: "key-unavailable"
    case .corrupt: "corrupt"
    case .unsupportedVersion: "unsupported-version"
    case .permission: "permission"
    case .storage: "storage"
    }
  }
}

/// Why a session ended although nobody signed out.
///
/// An open list: new words may come.
public struct ReauthenticationReason: RawRepresentable, Sendable, Hashable,
  CustomStringConvertible
{
  /// The stable word, in kebab case, at most 64 bytes.
  public let rawValue: String

  /// Creates a reason from its word.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  /// The provider answered `invalid_grant` (RFC 6749 5.2): the refresh token is not valid any more.
  public static let invalidGrant = ReauthenticationReason(rawValue: "invalid-grant")
  /// A renewal answered for another issuer or subject.
  public static let accountChanged = ReauthenticationReason(rawValue: "account-changed")
  /// The provider refused several times without an OAuth error.
  public static let refusedWithoutReason = ReauthenticationReason(rawValue: "provider-refused")
  /// The answer to a renewal was lost after the provider had rotated the refresh token.
  public static let lostRotation = ReauthenticationReason(rawValue: "lost-rotation")
  /// The provider gave no refresh token and the access token has ended.
  public static let noRefreshToken = ReauthenticationReason(rawValue: "no-refresh-token")
  /// The host could not read the session that it had stored.
  public static let lostState = ReauthenticationReason(rawValue: "stored-session-lost")
  /// The stored session is older than what was published, as after restoring a backup; its refresh
  /// token may have been rotated since, and using it again can end the grant (RFC 9700 4.14.2).
  public static let rollbackSuspected = ReauthenticationReason(rawValue: "rollback-suspected")

  /// One sentence for a person, without a final full stop.
  public var description: String {
    switch rawValue {
    case "invalid-grant": "the provider has ended the session"
    case "account-changed": "the provider answered for another account"
    case "provider-refused": "the provider refused several times without saying why"
    case "lost-rotation": "the answer to a renewal was lost on its way"
    case "no-refresh-token": "the provider gave nothing to renew the session with"
    case "stored-session-lost": "the host could not read the session that it had stored"
    case "rollback-suspected": "the stored session is older than the published one, as a backup is"
    default: rawValue
    }
  }
}
