import SecretMemory

/// The random name of one host state: generations count within it.
package struct SnapshotLife: RawRepresentable, Sendable, Hashable {
  /// The 16 bytes of the file, read as a little-endian number.
  package let rawValue: UInt128

  /// Creates a life from its number.
  package init(rawValue: UInt128) {
    self.rawValue = rawValue
  }

  /// Makes a new random life (`randombytes_buf`).
  package static func random() -> SnapshotLife {
    SnapshotLife(rawValue: littleEndian(randomBytes(16)))
  }
}

/// The name of an access group's key, derived from it; tells which key opens a snapshot.
package struct KeyIdentifier: RawRepresentable, Sendable, Hashable {
  /// The 8 bytes of the file, read as a little-endian number.
  package let rawValue: UInt64

  /// Creates an identifier from its number.
  package init(rawValue: UInt64) {
    self.rawValue = rawValue
  }
}

/// A keyed fingerprint of issuer and subject: equal for one account, and nothing else can be told.
package struct AccountFingerprint: RawRepresentable, Sendable, Hashable {
  /// The 16 bytes of the file, read as a little-endian number.
  package let rawValue: UInt128

  /// Creates a fingerprint from its number.
  package init(rawValue: UInt128) {
    self.rawValue = rawValue
  }

  /// Creates a fingerprint from 16 bytes.
  package init(bytes: [UInt8]) {
    self.init(rawValue: littleEndian(bytes))
  }
}

/// Reads bytes as a number, the least significant one first.
func littleEndian<Number: FixedWidthInteger>(_ bytes: some Collection<UInt8>) -> Number {
  var number: Number = 0
  var shift: Number = 0
  for byte in bytes {
    number |= Number(truncatingIfNeeded: byte) << shift
    shift += 8
  }
  return number
}
