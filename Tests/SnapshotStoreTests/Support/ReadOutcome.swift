import SessionModel
import SnapshotFormat
import SnapshotStore
import TestSupport

/// What a reader makes of a file, line by line.
struct ReadOutcome {
  /// The lines.
  private(set) var lines: [String] = []

  /// Reads a file as the reader does.
  static func of(_ bytes: [UInt8], key: GroupKey, place: SnapshotPlace) -> ReadOutcome {
    var outcome = ReadOutcome()
    do {
      let snapshot = try UnverifiedSnapshot(parsing: bytes).open(
        with: key, namespace: place.namespace, accessGroup: place.accessGroup)
      outcome.describe(snapshot)
    } catch {
      outcome.lines = ["outcome: " + word(error)]
    }
    return outcome
  }

  private static func word(_ error: SnapshotError) -> String {
    switch error {
    case .corrupt: "corrupt"
    case .unsupportedVersion(let version): "unsupported-version \(version)"
    case .unsupportedRecordVersion(let version): "unsupported-record-version \(version)"
    case .keyUnavailable: "key-unavailable"
    case .tooLarge: "too-large"
    }
  }

  private mutating func describe(_ snapshot: Snapshot) {
    let header = snapshot.header
    switch snapshot.content {
    case .session: lines = ["outcome: session"]
    case .signedOut: lines = ["outcome: signed-out"]
    case .reauthenticationRequired: lines = ["outcome: reauthentication-required"]
    case .unknown: lines = ["outcome: unsupported-record"]
    }
    lines += [
      "life: " + hexText(little(header.life.rawValue)),
      "generation: \(header.generation)",
      "kind: \(header.kind.rawValue)",
      "namespace: \(header.namespace)",
      "access-group: \(header.accessGroup)",
      "key-identifier: " + hexText(little(header.keyIdentifier.rawValue)),
      "published-wall: \(header.published.wall.rawValue)",
      "published-boot: \(header.published.boot.rawValue)",
      "published-boot-identifier: " + hexText(header.published.bootIdentifier.bytes),
      "next-publication-wall: \(header.nextPublication.wall.rawValue)",
      "next-publication-boot: \(header.nextPublication.boot.rawValue)",
      "access-token-expiry: " + (header.accessTokenExpiry.map { "\($0.rawValue)" } ?? "absent"),
      "issued-at: " + (header.issuedAt.map { "\($0.rawValue)" } ?? "absent"),
      "host-state: \(header.hostState.code)",
      "host-state-time: " + (header.hostState.codeTime.map { "\($0.rawValue)" } ?? "absent"),
      "account-name: " + (header.accountName.map { hexText(Array($0.utf8)) } ?? "absent"),
      "account-fingerprint: "
        + (header.accountFingerprint.map { hexText(little($0.rawValue)) } ?? "absent"),
      "reauthentication-reason: " + (header.reauthenticationReason?.rawValue ?? "absent"),
      "extension: " + (header.extensionBytes.isEmpty ? "empty" : hexText(header.extensionBytes)),
    ]
    if case .session(let record) = snapshot.content {
      lines.append("record: " + String(decoding: record.encoded, as: UTF8.self))
    }
  }
}
