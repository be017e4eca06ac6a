import SecretMemory
import SnapshotFormat
import TestSupport

/// The parts of a genuine snapshot, to be changed and sealed again, so that what is changed is not
/// stopped by the seal.
struct ResealedSnapshot {
  var version: [UInt8]
  var header: [UInt8]
  var hostBox: [UInt8]
  var padded: [UInt8]

  /// Takes a snapshot apart that was sealed with the sample key.
  init(opening file: [UInt8]) throws {
    var rest = file.dropFirst(SnapshotLimits.magic.count)
    version = Array(rest.prefix(2))
    rest = rest.dropFirst(2)
    header = Self.takeBlock(&rest)
    hostBox = Self.takeBlock(&rest)
    let associated = Array(file[..<rest.startIndex]) + SnapshotLimits.readerBoxName
    let readerBox = Self.takeBlock(&rest)
    let sealed = readerBox.dropFirst(AuthenticatedCipher.nonceLength)
    padded = try unsafe AuthenticatedCipher.open(
      Array(sealed), associatedData: associated,
      nonce: Array(readerBox.prefix(AuthenticatedCipher.nonceLength)), key: Self.key()
    ).withUnsafeBytes { unsafe Array($0) }
  }

  /// The whole file under a genuine seal.
  func bytes() throws -> [UInt8] {
    var file = SnapshotLimits.magic + version + Self.block(header) + Self.block(hostBox)
    let nonce = Array(0x60...0x77) as [UInt8]
    let sealed = try AuthenticatedCipher.seal(
      padded, associatedData: file + SnapshotLimits.readerBoxName, nonce: nonce, key: Self.key())
    file += Self.block(nonce + sealed)
    return file
  }

  /// What is inside the reader box without its padding.
  var content: [UInt8] {
    get { Array(padded[..<(padded.lastIndex(of: 0x80) ?? 0)]) }
    set {
      padded = newValue + [0x80]
      padded += Array(repeating: 0, count: (1024 - padded.count % 1024) % 1024)
    }
  }

  /// Changes one part a little.
  mutating func mutate(using random: inout SeededGenerator) {
    switch Int.random(in: 0..<10, using: &random) {
    case 0: padded.mutate(with: Self.words, using: &random)
    case 1: hostBox.mutate(with: Self.words, using: &random)
    case 2: version.mutate(with: Self.words, using: &random)
    case 3..<6: header.mutate(with: Self.words, using: &random)
    default: content.mutate(with: Self.words, using: &random)
    }
  }

  // The record's own words, besides what JSON allows or forbids.
  private static let words =
    ByteMutation.jsonWords + [
      "\"version\":1", "\"version\":2", "\"version\":1.0", "\"version\":true", "\"version\":null",
      "\"version\":-0", "\"version\":9223372036854775808", ",\"scope\":null", ",\"scope\":\"\"",
      ",\"expiresAt\":1800000000", ",\"expiresAt\":1.8e9", ",\"expiresAt\":-1",
      ",\"expiresAt\":null", ",\"refreshToken\":\"r\"", ",\"idToken\":3", ",\"x\":1",
      "\"accessToken\":\"\"", "{\"version\":2,\"a\":[1.5]}", "TVSNAP",
    ]

  private static func key() throws -> SecretBytes {
    try SecretBytes(copying: Array(repeating: 0x41, count: AuthenticatedCipher.keyLength))
  }

  private static func block(_ bytes: [UInt8]) -> [UInt8] { little(UInt32(bytes.count)) + bytes }

  private static func takeBlock(_ rest: inout ArraySlice<UInt8>) -> [UInt8] {
    let length = rest.prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
    rest = rest.dropFirst(4)
    defer { rest = rest.dropFirst(length) }
    return Array(rest.prefix(length))
  }
}
