import SessionModel
import SnapshotFormat
import SnapshotStore

/// The input is what stands inside a snapshot: it is sealed before it is read, so that no seal stops
/// what the fuzzer changes.
///
/// Its form: a byte of which bit 0 says that the content is padded already, the header's length in
/// two bytes, the header, the host box's length in two bytes, the host box, and the content of the
/// reader box.
struct ResealedInput {
  private let isPadded: Bool
  private let header: ArraySlice<UInt8>
  private let hostBox: ArraySlice<UInt8>
  private let content: ArraySlice<UInt8>

  init(_ input: [UInt8]) {
    var rest = input[...]
    isPadded = (rest.popFirst() ?? 0) & 1 == 1
    header = Self.takePart(&rest)
    hostBox = Self.takePart(&rest)
    content = rest
  }

  private static func takePart(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let length = Int(rest.popFirst() ?? 0) | Int(rest.popFirst() ?? 0) << 8
    defer { rest = rest.dropFirst(length) }
    return rest.prefix(length)
  }

  static func digest(_ input: [UInt8]) throws(FuzzFinding) {
    let inside = ResealedInput(input)
    let snapshot = SampleKey.open(inside.file(behind: []))
    if let snapshot { try check(snapshot) }
    guard !inside.isPadded else { return }
    // White space behind a record sends it past the quick reader to the JSON parser.
    let slow = SampleKey.open(inside.file(behind: [UInt8(ascii: " ")]))
    if snapshot?.content.kind == .session || slow?.content.kind == .session {
      try demand(snapshot == slow, "the quick reader of records reads what the parser reads")
    }
  }

  /// Checks what must hold of everything that a reader believes.
  static func check(_ snapshot: Snapshot) throws(FuzzFinding) {
    let header = snapshot.header
    try demand(
      header.namespace == .primary && header.accessGroup == .default,
      "a snapshot of another place is refused")
    try demand(header.kind == snapshot.content.kind, "the kind is the content's")
    try demand(
      !SnapshotOrder.isNewer(header, than: header, in: header.published.bootIdentifier),
      "no snapshot is newer than itself")
    switch snapshot.content {
    case .session(let record):
      try demand(record.expiresAt == header.accessTokenExpiry, "both expiries are the same")
      try demand(header.issuedAt != nil, "a session was issued some time")
      try demand(
        !record.accessToken.isEmpty && record.accessToken.utf8.count <= SnapshotLimits.tokenLength,
        "an access token is neither empty nor too long")
    case .signedOut, .reauthenticationRequired:
      try demand(header.accessTokenExpiry == nil, "a tombstone has no expiry")
    case .unknown: break
    }
  }

  private func file(behind tail: [UInt8]) -> [UInt8] {
    var file = SnapshotLimits.magic + [1, 0] + Self.number(header.count) + header
    file += Self.number(hostBox.count) + hostBox
    var padded = Array(content) + tail
    if !isPadded {
      padded.append(0x80)
      padded += Array(
        repeating: 0, count: -padded.count & (SnapshotLimits.paddingBlock - 1))
    }
    let nonce = [UInt8](repeating: 7, count: 24)
    let sealed = SampleKey.seal(
      padded, associatedData: file + SnapshotLimits.readerBoxName, nonce: nonce)
    file += Self.number(nonce.count + sealed.count) + nonce + sealed
    return file
  }

  private static func number(_ value: Int) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}
