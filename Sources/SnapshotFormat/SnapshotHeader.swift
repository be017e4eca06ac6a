package import SessionModel

/// The clear part of a snapshot; believed only once the reader box has opened.
package struct SnapshotHeader: Sendable, Hashable {
  /// The host state that counts the generations.
  package let life: SnapshotLife
  /// The snapshot's number within its life, from 1.
  package let generation: UInt64
  /// What the snapshot holds.
  package let kind: RecordKind
  /// The namespace that the snapshot was published in.
  package let namespace: Namespace
  /// The access group that the snapshot was published for.
  package let accessGroup: AccessGroup
  /// Which key of the group opens the reader box.
  package let keyIdentifier: KeyIdentifier
  /// When it was published.
  package let published: Instant
  /// By when the host will have published again.
  package let nextPublication: PublicationDeadline
  /// When the access token ends; nil when there is none or its end is not known.
  package let accessTokenExpiry: UnixTime?
  /// When the access token was obtained; nil when there is none.
  package let issuedAt: UnixTime?
  /// What the host says of itself.
  package let hostState: HostState
  /// The account's name for people, where there is one; not printable as it is.
  package let accountName: String?
  /// The account's fingerprint; nil when there is no account.
  package let accountFingerprint: AccountFingerprint?
  /// Why a person has to sign in again; only with that kind of record.
  package let reauthenticationReason: ReauthenticationReason?
  /// What later minor revisions may add; ignored here.
  package let extensionBytes: [UInt8]

  /// Creates a header; what is written to a file comes from a draft in `SnapshotStore`.
  package init(
    life: SnapshotLife, generation: UInt64, kind: RecordKind, namespace: Namespace,
    accessGroup: AccessGroup, keyIdentifier: KeyIdentifier, published: Instant,
    nextPublication: PublicationDeadline, accessTokenExpiry: UnixTime?, issuedAt: UnixTime?,
    hostState: HostState, accountName: String?, accountFingerprint: AccountFingerprint?,
    reauthenticationReason: ReauthenticationReason?, extensionBytes: [UInt8]
  ) {
    self.life = life
    self.generation = generation
    self.kind = kind
    self.namespace = namespace
    self.accessGroup = accessGroup
    self.keyIdentifier = keyIdentifier
    self.published = published
    self.nextPublication = nextPublication
    self.accessTokenExpiry = accessTokenExpiry
    self.issuedAt = issuedAt
    self.hostState = hostState
    self.accountName = accountName
    self.accountFingerprint = accountFingerprint
    self.reauthenticationReason = reauthenticationReason
    self.extensionBytes = extensionBytes
  }
}

/// A time by which something will have happened, on both clocks.
package struct PublicationDeadline: Sendable, Hashable {
  /// On the wall clock, for people.
  package let wall: UnixTime
  /// On the clock of the boot in which the snapshot was published, which decides.
  package let boot: BootTime

  /// Creates a deadline from both clocks.
  package init(wall: UnixTime, boot: BootTime) {
    self.wall = wall
    self.boot = boot
  }
}

extension SnapshotHeader {
  /// The access token's whole lifetime; nil when its end or its beginning is not known.
  package var accessTokenLifetime: Duration? {
    guard let accessTokenExpiry, let issuedAt else { return nil }
    return accessTokenExpiry.since(issuedAt)
  }
}
