import SecretMemory
import TestSupport

/// Builds snapshot files straight from FORMAT.md, also ones that the encoder would not write.
struct HandMadeSnapshot {
  var magic = Array("TVSNAP".utf8)
  var version: UInt16 = 1
  var generation: UInt64 = 7
  var kind: UInt16 = 1
  var namespace = "primary"
  var accessGroup = "default"
  var keyIdentifier: [UInt8]?
  var expiry: [UInt8] = [1] + little(1_800_000_000 as Int64)
  var issuedAt: [UInt8] = [1] + little(1_799_996_400 as Int64)
  var hostState: [UInt8] = little(1 as UInt16) + [0]
  var accountName: [UInt8] = [0]
  var fingerprint: [UInt8] = [0]
  var reason: [UInt8] = [0]
  var extensionLength: UInt32?
  var extensionBytes: [UInt8] = []
  var headerTail: [UInt8] = []
  var headerLength: UInt32?
  var hostBox: [UInt8] = little(0 as UInt32)
  var plaintext =
    Array(
      #"{"version":1,"issuer":"i","clientId":"c","accessToken":"a","tokenType":"Bearer","#.utf8)
    + Array(#""expiresAt":1800000000}"#.utf8)
  var padded: [UInt8]?
  var trailer: [UInt8] = []

  /// A tombstone's kind and the values that go with it.
  static func tombstone(kind: UInt16) -> HandMadeSnapshot {
    var made = HandMadeSnapshot()
    made.kind = kind
    made.expiry = [0]
    made.issuedAt = [0]
    made.plaintext = []
    return made
  }

  /// The whole file, sealed with the sample key.
  func bytes() throws -> [UInt8] {
    let key = try SecretBytes(copying: Array(repeating: 0x41, count: 32))
    let identifier = try SecretMemory.fingerprint(
      of: Array("TokenVault key id".utf8), key: key, length: 16
    ).prefix(8)
    var header = Array(0x10...0x1F) as [UInt8] + little(generation) + little(kind)
    header += text(namespace) + text(accessGroup) + (keyIdentifier ?? Array(identifier))
    header += little(1_799_996_460 as Int64) + little(5_000_000_000 as UInt64)
    header += Array(repeating: 0x11, count: 16)
    header += little(1_800_000_060 as Int64) + little(3_605_000_000_000 as UInt64)
    header += expiry + issuedAt + hostState + accountName + fingerprint + reason
    header += little(extensionLength ?? UInt32(extensionBytes.count)) + extensionBytes
    header += headerTail
    var file = magic + little(version) + little(headerLength ?? UInt32(header.count)) + header
    file += hostBox
    let nonce = Array(0x60...0x77) as [UInt8]
    let sealed = try AuthenticatedCipher.seal(
      padded ?? pad(plaintext), associatedData: file + Array("reader".utf8), nonce: nonce,
      key: key)
    return file + little(UInt32(nonce.count + sealed.count)) + nonce + sealed + trailer
  }

  private func pad(_ bytes: [UInt8]) -> [UInt8] {
    let padded = bytes + [0x80]
    return padded + Array(repeating: 0, count: (1024 - padded.count % 1024) % 1024)
  }
}

/// A text as the header holds it.
func text(_ text: String) -> [UInt8] {
  little(UInt16(text.utf8.count)) + Array(text.utf8)
}
