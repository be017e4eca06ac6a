public import SessionModel

/// A state that a snapshot can be in, and what a correct widget makes of it.
///
/// Words in quotation marks are those of `SessionState.word` and `HostCondition.word`. A token may
/// be used while the session is `valid`, `expiring` or `expiry-unknown`, whatever the host says.
public enum SimulatedState: Sendable, Hashable {
  /// Nothing is published and a host runs: "absent". A widget shows that nobody is signed in.
  case absent
  /// A new token that is good for so long: "valid", host "ok". A widget shows the account.
  case valid(for: Duration)
  /// The token is good for less than the margin, so for less than 30 s: "expiring".
  ///
  /// `accessToken()` refuses it, `accessToken(validFor: .zero)` does not. A widget goes on showing
  /// the account.
  case expiring(for: Duration)
  /// The token ended so long ago: "expired". A widget shows no token and says that it has ended.
  case expired(since: Duration)
  /// The provider did not say when the token ends: "expiry-unknown". A widget may use it.
  case expiryUnknown
  /// No better token is on its way: host "stale". A widget uses the token until it ends.
  case stale(StaleCause)
  /// The host asks the provider just now: host "renewing". A widget waits, and uses the token.
  case renewing
  /// The host cannot reach the provider: host "offline". A widget uses the token until it ends.
  case offline
  /// The host was asked for patience for so long: host "waiting". A widget uses the token.
  case waiting(for: Duration)
  /// The host cannot write its state: host "storage-failed". A widget uses the token.
  case storageFailed
  /// The host's key is locked away: host "locked". A widget uses the token until it ends.
  case locked
  /// The person signed out: "signed-out". A widget forgets the token and shows nobody's data.
  case signedOut
  /// A person has to sign in again: "reauthentication-required". A widget asks for just that.
  case reauthenticationRequired(ReauthenticationReason)
  /// Another account signed in, with a token good for so long: "valid".
  ///
  /// `VaultUpdate.isAccountChanged` says so. A widget shows nothing of the former account.
  case accountChanged(for: Duration)
  /// One byte of the snapshot is another: "corrupt", or "unsupported-version" for bytes 6 and 7.
  ///
  /// A widget says that it cannot read the session, and goes on by itself when it can again.
  case corrupt(byte: Int)
  /// Only so many bytes of the snapshot are there: "corrupt".
  case truncated(bytes: Int)
  /// The snapshot was sealed with another key than the access group's: "key-unavailable".
  case wrongKey
  /// The access group's key is gone: "key-unavailable".
  case keyUnavailable
  /// The snapshot has a format version that is not written yet: "unsupported-version".
  case futureVersion
  /// The snapshot is genuine and of a kind that is not known yet: "unsupported-record".
  case unknownRecord
  /// The snapshot's permission bits let others in: "permission".
  case wrongMode(UInt32)
  /// The snapshot belongs to another user: "permission". Only root can make it so.
  case wrongOwner
  /// A symbolic link to a snapshot lies in the snapshot's place: "permission".
  case symbolicLink
  /// A FIFO lies in the snapshot's place: "permission". A widget does not hang.
  case fifo
  /// An older snapshot was put back.
  ///
  /// A reader that has seen a newer one stays with that; one that starts now takes the old one.
  case rolledBack
  /// The wall clock was set by so much since the host published; a negative one is set back.
  ///
  /// The boot clock decides: set back, the token ends when it would have; set far forward, it counts
  /// as "expired" at once.
  case clockSkew(by: Duration)

  /// Why no better token is on its way.
  public enum StaleCause: String, Sendable, Hashable, CaseIterable {
    /// No host holds the lock of the runtime directory.
    case hostStopped = "host-stopped"
    /// A host runs, and has not published by the time it named.
    case overdue
    /// The snapshot is from before the machine was started.
    case earlierBoot = "earlier-boot"
  }
}
