import SessionModel

extension SnapshotHeader {
  /// Reads a header from a cursor over exactly its bytes.
  ///
  /// - Throws: `corrupt` for anything that the encoder would not have written.
  init(parsing cursor: inout ByteCursor) throws(SnapshotError) {
    life = SnapshotLife(rawValue: try cursor.number())
    generation = try cursor.number()
    kind = RecordKind(rawValue: try cursor.number())
    guard generation >= 1, kind.rawValue >= 1,
      let namespace = Namespace(try cursor.text(limit: 64)),
      let accessGroup = AccessGroup(try cursor.text(limit: 64))
    else { throw .corrupt(.shape) }
    self.namespace = namespace
    self.accessGroup = accessGroup
    keyIdentifier = KeyIdentifier(rawValue: try cursor.number())
    published = try cursor.instant()
    nextPublication = PublicationDeadline(
      wall: try cursor.time(), boot: BootTime(rawValue: try cursor.number()))
    accessTokenExpiry = try cursor.isPresent() ? try cursor.time() : nil
    issuedAt = try cursor.isPresent() ? try cursor.time() : nil
    let stateCode = try cursor.number(UInt16.self)
    let stateTime = try cursor.isPresent() ? try cursor.time() : nil
    guard let hostState = HostState(code: stateCode, time: stateTime) else {
      throw .corrupt(.shape)
    }
    self.hostState = hostState
    accountName =
      try cursor.isPresent() ? try cursor.text(limit: SnapshotLimits.accountNameLength) : nil
    accountFingerprint =
      try cursor.isPresent() ? AccountFingerprint(rawValue: try cursor.number()) : nil
    reauthenticationReason =
      try cursor.isPresent()
      ? ReauthenticationReason(rawValue: try cursor.text(limit: SnapshotLimits.reasonLength)) : nil
    extensionBytes = Array(try cursor.take(Int(try cursor.number(UInt32.self))))
    try cursor.finish()
    guard isConsistent else { throw .corrupt(.shape) }
  }

  // An unknown kind may have any of the optional values.
  private var isConsistent: Bool {
    switch kind {
    case .session: issuedAt != nil && reauthenticationReason == nil
    case .signedOut:
      accessTokenExpiry == nil && issuedAt == nil && reauthenticationReason == nil
    case .reauthenticationRequired:
      accessTokenExpiry == nil && issuedAt == nil && reauthenticationReason?.rawValue != ""
        && reauthenticationReason != nil
    default: true
    }
  }
}

extension ByteCursor {
  fileprivate mutating func time() throws(SnapshotError) -> UnixTime {
    UnixTime(rawValue: try number())
  }

  fileprivate mutating func instant() throws(SnapshotError) -> Instant {
    let wall = try time()
    let boot = BootTime(rawValue: try number())
    guard let bootIdentifier = BootIdentifier(bytes: Array(try take(16))) else {
      throw .corrupt(.shape)
    }
    return Instant(wall: wall, boot: boot, bootIdentifier: bootIdentifier)
  }
}
