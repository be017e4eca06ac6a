import SecretMemory

/// The key file whose key is sealed: magic, version 2, storage, salt, cost, nonce, ciphertext.
///
/// Everything before the ciphertext is authenticated with it, so that no part can be exchanged.
enum ProtectedKey {
  private static let version: UInt8 = 2
  private static let storageIndex = 9
  private static let saltRange = 10..<26
  private static let passesRange = 26..<34
  private static let memoryRange = 34..<42
  private static let nonceRange = 42..<66
  /// The key and the machine's mark.
  private static let contentLength = 32 + 8
  static let length = 66 + contentLength + AuthenticatedCipher.tagLength

  enum Failure: Error {
    /// The file has another format.
    case malformed
    /// It asks for more than this host is ready to spend.
    case tooCostly
    /// What was given does not open it.
    case refused
    case memory
  }

  /// Where the key of a file is kept; nil for a file of another format.
  static func storage(of file: [UInt8]) -> KeyStorage? {
    guard file.count > storageIndex, file.starts(with: MasterKey.magic), file[8] == version,
      let storage = KeyStorage(rawValue: file[storageIndex]), storage != .file
    else { return nil }
    return storage
  }

  static func seal(
    _ content: borrowing SecretBytes, by protection: KeyProtection
  ) throws(Failure) -> [UInt8] {
    guard let secret = protection.secret, protection.storage != .file else { throw .malformed }
    let isPassphrase = protection.storage == .passphrase
    let salt = randomBytes(PassphraseDerivation.saltLength)
    let nonce = randomBytes(AuthenticatedCipher.nonceLength)
    let head =
      MasterKey.magic + [version, protection.storage.rawValue] + salt
      + littleEndian(isPassphrase ? protection.cost.passes : 0)
      + littleEndian(isPassphrase ? protection.cost.memory : 0)
    do {
      let key = try wrappingKey(secret, salt, isPassphrase ? protection.cost : nil)
      var plain = content.copiedBytes()
      defer { wipe(&plain) }
      return head + nonce
        + (try AuthenticatedCipher.seal(
          plain, associatedData: head + nonce, nonce: nonce, key: key))
    } catch {
      throw .memory
    }
  }

  static func open(_ file: [UInt8], with secret: SharedSecret) throws(Failure) -> SecretBytes {
    guard file.count == length, let storage = storage(of: file) else { throw .malformed }
    var cost: PassphraseDerivation.Cost?
    if storage == .passphrase {
      // Before anything is allocated.
      cost = PassphraseDerivation.Cost(
        passes: number(file[passesRange]), memory: number(file[memoryRange]))
      guard cost != nil else { throw .tooCostly }
    }
    do {
      let key = try wrappingKey(secret, Array(file[saltRange]), cost)
      let content = try AuthenticatedCipher.open(
        file[nonceRange.upperBound...], associatedData: file[..<nonceRange.upperBound],
        nonce: file[nonceRange], key: key)
      guard content.count == contentLength else { throw Failure.malformed }
      return content
    } catch SecretMemoryError.cannotOpen {
      throw .refused
    } catch let failure as Failure {
      throw failure
    } catch {
      throw .memory
    }
  }

  // A key as such needs no costly derivation: it cannot be guessed.
  private static func wrappingKey(
    _ secret: SharedSecret, _ salt: [UInt8], _ cost: PassphraseDerivation.Cost?
  ) throws(SecretMemoryError) -> SecretBytes {
    guard let cost else {
      var key = try fingerprint(
        of: Array("TVMASTER wrap".utf8) + salt, key: secret.bytes, length: 32)
      defer { wipe(&key) }
      return try SecretBytes(copying: key)
    }
    return try PassphraseDerivation.key(from: secret.bytes, salt: salt, cost: cost)
  }

  private static func littleEndian(_ number: UInt64) -> [UInt8] {
    (0..<8).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64($0))) }
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
}
