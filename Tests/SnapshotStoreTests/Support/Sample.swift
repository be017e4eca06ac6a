import SecretMemory
import SessionModel
import SnapshotFormat
import SnapshotStore

/// Fixed values to build snapshots from.
enum Sample {
  static let boot = identifier(0x11)
  static let otherBoot = identifier(0x22)
  static let life = SnapshotLife(rawValue: 0x1F1E_1D1C_1B1A_1918_1716_1514_1312_1110)
  static let place = SnapshotPlace(namespace: .primary)

  static let record = StoredSessionV1(
    issuer: "https://issuer.example", clientId: "desktop", accessToken: "access-token-sentinel",
    tokenType: "Bearer", refreshToken: "refresh-token-sentinel", idToken: "id-token-sentinel",
    scope: "openid profile offline_access", expiresAt: UnixTime(rawValue: 1_800_000_000))

  /// A draft of a session, published one minute after the token was obtained.
  static func draft(
    _ content: SnapshotContent = .session(record), generation: UInt64 = 7,
    place: SnapshotPlace = place
  ) -> SnapshotDraft {
    SnapshotDraft(
      life: life, generation: generation, place: place, content: content,
      published: Instant(
        wall: UnixTime(rawValue: 1_799_996_460), boot: BootTime(rawValue: 5_000_000_000),
        bootIdentifier: boot),
      nextPublication: PublicationDeadline(
        wall: UnixTime(rawValue: 1_800_000_060), boot: BootTime(rawValue: 3_605_000_000_000)),
      issuedAt: UnixTime(rawValue: 1_799_996_400), hostState: .ok,
      accountName: "person@issuer.example",
      accountFingerprint: AccountFingerprint(bytes: Array(0x30...0x3F)))
  }

  static func groupKey(_ byte: UInt8 = 0x41) throws -> GroupKey {
    try GroupKey(try SecretBytes(copying: Array(repeating: byte, count: 32)))
  }

  static func hostBoxKey() throws -> HostBoxKey {
    try HostBoxKey(derivedFrom: try SecretBytes(copying: Array(repeating: 0x51, count: 32)))
  }

  /// An encoder whose nonces are all alike, so that the bytes can be compared.
  static func encoder(withHostBoxKey: Bool = true) throws -> SnapshotEncoder {
    SnapshotEncoder(
      hostBoxKey: withHostBoxKey ? try hostBoxKey() : nil,
      nonces: NonceSource { Array(0x60...0x77) })
  }

  /// The bytes of an encoded draft under the sample key.
  static func snapshot(
    _ draft: SnapshotDraft = draft(), key: GroupKey? = nil, sharesHostTokens: Bool = false
  ) throws -> [UInt8] {
    try encoder().encode(
      draft, key: try key ?? groupKey(), sharesHostTokens: sharesHostTokens
    ).bytes
  }

  /// Opens bytes under the sample key and at the sample place.
  static func open(
    _ bytes: [UInt8], key: GroupKey? = nil, place: SnapshotPlace = place
  ) throws -> Snapshot {
    try UnverifiedSnapshot(parsing: bytes).open(
      with: try key ?? groupKey(), namespace: place.namespace, accessGroup: place.accessGroup)
  }

  private static func identifier(_ byte: UInt8) -> BootIdentifier {
    guard let identifier = BootIdentifier(bytes: Array(repeating: byte, count: 16)) else {
      fatalError("16 bytes are a boot identifier")
    }
    return identifier
  }
}
