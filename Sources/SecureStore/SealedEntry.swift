import SecretMemory

/// The format of one entry's file: `TVSTORE`, version, key check, nonce, ciphertext.
///
/// The magic, the version, the key check and the entry's own name are authenticated with it, so
/// that neither another entry nor an entry of another store can take its place.
enum SealedEntry {
  static let sizeLimit = 1 << 20
  private static let magic = Array("TVSTORE".utf8)
  private static let version: UInt8 = 1
  private static let checkRange = 8..<16
  private static let nonceRange = 16..<40

  enum Failure: Error {
    case corrupt
    case otherKey
    case memory
  }

  static func seal(
    _ value: [UInt8], name: String, key: borrowing SecretBytes
  ) throws(Failure) -> [UInt8] {
    do {
      let head = magic + [version] + (try check(key))
      let nonce = randomBytes(AuthenticatedCipher.nonceLength)
      let sealed = try AuthenticatedCipher.seal(
        value, associatedData: head + Array(name.utf8), nonce: nonce, key: key)
      return head + nonce + sealed
    } catch {
      throw .memory
    }
  }

  static func open(
    _ bytes: [UInt8], name: String, key: borrowing SecretBytes
  ) throws(Failure) -> SecretBytes {
    guard bytes.count > nonceRange.upperBound, bytes.starts(with: magic), bytes[7] == version else {
      throw .corrupt
    }
    do {
      guard try check(key).elementsEqual(bytes[checkRange]) else { throw Failure.otherKey }
      return try AuthenticatedCipher.open(
        bytes[nonceRange.upperBound...],
        associatedData: Array(bytes[..<nonceRange.lowerBound]) + Array(name.utf8),
        nonce: bytes[nonceRange], key: key)
    } catch let failure as Failure {
      throw failure
    } catch SecretMemoryError.cannotOpen {
      throw .corrupt
    } catch {
      throw .memory
    }
  }

  // Tells another key from damage without telling anything of the key.
  private static func check(_ key: borrowing SecretBytes) throws(SecretMemoryError) -> [UInt8] {
    Array(try fingerprint(of: Array("TVSTORE key check".utf8), key: key, length: 16).prefix(8))
  }
}
