package import SecretMemory

/// The key of an access group: whoever has it can open the reader boxes of the group's snapshots.
package final class GroupKey: Sendable {
  /// The key's name, derived from it.
  package let identifier: KeyIdentifier
  /// The key itself, 32 bytes.
  package let secret: SecretBytes

  /// Takes over a key of 32 bytes.
  ///
  /// - Throws: `invalidParameter` for any other length.
  package init(_ secret: consuming SecretBytes) throws(SecretMemoryError) {
    guard secret.count == AuthenticatedCipher.keyLength else { throw .invalidParameter }
    identifier = try GroupKey.identifier(of: secret)
    self.secret = secret
  }

  /// Reads a key from the bytes of a key file, which are zeros afterwards in any case.
  ///
  /// - Throws: `GroupKeyError`.
  package convenience init(wiping bytes: inout [UInt8]) throws(GroupKeyError) {
    defer { wipe(&bytes) }
    guard bytes.count >= GroupKeyFile.secretOffset,
      bytes.starts(with: GroupKeyFile.magic)
    else { throw .damaged }
    let version: UInt16 = littleEndian(
      bytes[GroupKeyFile.magic.count..<GroupKeyFile.secretOffset])
    guard version == GroupKeyFile.version else { throw .unsupportedVersion(version) }
    guard bytes.count == GroupKeyFile.length else { throw .damaged }
    do {
      try self.init(
        try SecretBytes(
          copying: bytes[GroupKeyFile.secretOffset..<GroupKeyFile.identifierOffset]))
    } catch {
      throw .memory(error)
    }
    let written = KeyIdentifier(rawValue: littleEndian(bytes[GroupKeyFile.identifierOffset...]))
    guard written == identifier else { throw .damaged }
  }

  // A keyed hash of a constant: it names the key and tells nothing of it.
  private static func identifier(
    of secret: borrowing SecretBytes
  ) throws(SecretMemoryError) -> KeyIdentifier {
    let hash = try fingerprint(of: Array("TokenVault key id".utf8), key: secret, length: 16)
    return KeyIdentifier(rawValue: littleEndian(hash.prefix(8)))
  }
}

/// The layout of an access group's key file.
package enum GroupKeyFile {
  /// The first six bytes.
  package static let magic = Array("TVGKEY".utf8)
  /// The only version, two bytes after the magic.
  package static let version: UInt16 = 1
  /// Where the key begins.
  package static let secretOffset = 8
  /// Where the key's name begins, which tells a damaged file.
  package static let identifierOffset = 40
  /// The length of the whole file.
  package static let length = 48
}

/// Why the bytes of a key file are not a key.
package enum GroupKeyError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The bytes are not a whole key file.
  case damaged
  /// The file has another version.
  case unsupportedVersion(UInt16)
  /// No memory for the key.
  case memory(SecretMemoryError)

  /// A few words, to follow the file's name.
  package var description: String {
    switch self {
    case .damaged: "the access group's key is damaged"
    case .unsupportedVersion(let version):
      "the access group's key has version \(version), and this program reads version 1; update it"
    case .memory(let error): error.description
    }
  }
}
