package import SessionModel
package import SnapshotFormat

/// What the host wants a namespace's snapshot to say, before a key is chosen.
package struct SnapshotDraft: Sendable, Hashable {
  /// The host state that counts the generations; kept in the canonical state.
  package var life: SnapshotLife
  /// The snapshot's number within its life, from 1, greater at each publication.
  package var generation: UInt64
  /// Where it goes.
  package var place: SnapshotPlace
  /// The session, or what is there instead; a session's refresh and ID token go to the host box.
  package var content: SnapshotContent
  /// When it is published.
  package var published: Instant
  /// By when the next one will have been published.
  package var nextPublication: PublicationDeadline
  /// When the access token was obtained; left out for anything but a session.
  package var issuedAt: UnixTime?
  /// What the host says of itself.
  package var hostState: HostState
  /// The account's name for people; cut to what the format holds.
  package var accountName: String?
  /// The account's fingerprint.
  package var accountFingerprint: AccountFingerprint?
  /// What goes to the extension; nothing as yet.
  package var extensionBytes: [UInt8] = []

  /// Creates a draft.
  package init(
    life: SnapshotLife, generation: UInt64, place: SnapshotPlace, content: SnapshotContent,
    published: Instant, nextPublication: PublicationDeadline, issuedAt: UnixTime? = nil,
    hostState: HostState, accountName: String? = nil,
    accountFingerprint: AccountFingerprint? = nil, extensionBytes: [UInt8] = []
  ) {
    self.life = life
    self.generation = generation
    self.place = place
    self.content = content
    self.published = published
    self.nextPublication = nextPublication
    self.issuedAt = issuedAt
    self.hostState = hostState
    self.accountName = accountName
    self.accountFingerprint = accountFingerprint
    self.extensionBytes = extensionBytes
  }
}

extension SnapshotDraft {
  /// The header for a key; what the content implies is taken from the content.
  package func header(for key: KeyIdentifier) -> SnapshotHeader {
    var expiry: UnixTime?
    var issued: UnixTime?
    var reason: ReauthenticationReason?
    switch content {
    case .session(let record):
      expiry = record.expiresAt
      issued = issuedAt ?? published.wall
    case .reauthenticationRequired(let given): reason = given
    case .signedOut, .unknown: break
    }
    return SnapshotHeader(
      life: life, generation: generation, kind: content.kind, namespace: place.namespace,
      accessGroup: place.accessGroup, keyIdentifier: key, published: published,
      nextPublication: nextPublication, accessTokenExpiry: expiry, issuedAt: issued,
      hostState: hostState, accountName: accountName.map(cutAccountName),
      accountFingerprint: accountFingerprint, reauthenticationReason: reason,
      extensionBytes: extensionBytes)
  }
}

/// Cuts a name to what the format holds, between two characters.
private func cutAccountName(_ name: String) -> String {
  var cut = name[...]
  while cut.utf8.count > SnapshotLimits.accountNameLength { cut = cut.dropLast() }
  return String(cut)
}
