package import FileSupport
package import SecretMemory

/// The host's master key, from which every other key of the host is derived.
///
/// It is 32 random bytes in a file of their own, kept apart from the state and mixed with the
/// machine's identifier, so that neither a copied state directory nor a copied key file is enough.
package struct MasterKey: ~Copyable, Sendable {
  private let secret: SecretBytes

  private init(_ secret: consuming SecretBytes) {
    self.secret = secret
  }

  /// The name of the key file.
  package static let fileName = "master.key"
  /// The name of the lock that whoever writes key files holds.
  package static let lockName = "keys.lock"
  static let magic = Array("TVMASTER".utf8)
  private static let version: UInt8 = 1
  private static let length = 8 + 1 + 8 + 32

  /// Reads the key file.
  ///
  /// - Parameters:
  ///   - directory: where the key file is.
  ///   - machine: the machine's identifier, always the same bytes; empty where there is none.
  ///   - secret: what opens the key, where the file holds it sealed.
  /// - Returns: the key; nil when there is no key file.
  /// - Throws: `SecureStoreError`; `keyNeeded` for a sealed key without a secret.
  package static func load(
    from directory: Directory, machine: [UInt8], secret: SharedSecret? = nil
  ) throws(SecureStoreError) -> MasterKey? {
    let path = directory.path + "/" + fileName
    guard var bytes = try contents(of: directory, path: path) else { return nil }
    defer { wipe(&bytes) }
    if let storage = ProtectedKey.storage(of: bytes) {
      guard let secret else { throw .keyNeeded(path: path, storage) }
      return try load(sealed: bytes, path: path, machine: machine, secret: secret)
    }
    guard bytes.count == length, bytes.starts(with: magic), bytes[8] == version else {
      throw .keyFile(path: path)
    }
    return try checked(key: bytes[17...], mark: bytes[9..<17], machine: machine, path: path)
  }

  /// Makes a new key and its file, durably; an existing key file is never replaced.
  ///
  /// The caller holds a lock on the directory.
  /// - Parameters:
  ///   - directory: where the key file goes.
  ///   - machine: the machine's identifier, as for `load`.
  ///   - protection: how the key is kept.
  ///   - fileName: the file's name.
  /// - Returns: the key.
  /// - Throws: `SecureStoreError`; `keyFile` when there is a key file already.
  package static func create(
    in directory: Directory, machine: [UInt8], protection: KeyProtection = .file,
    named fileName: String = fileName
  ) throws(SecureStoreError) -> MasterKey {
    let path = directory.path + "/" + fileName
    let names = try fileCall { () throws(FileError) in try directory.names() }
    guard !names.contains(fileName) else { throw .keyFile(path: path) }
    do {
      let raw = try SecretBytes(randomCount: 32)
      guard protection.storage == .file else {
        try write(raw, in: directory, named: fileName, machine: machine, protection: protection)
        return try mixed(raw, machine)
      }
      var bytes = magic + [version] + (try mark(of: machine, key: raw))
      // No copy is left behind by an array that grows.
      bytes.reserveCapacity(length)
      unsafe raw.withUnsafeBytes { key in unsafe bytes.append(contentsOf: key) }
      defer { wipe(&bytes) }
      try fileCall { () throws(FileError) in
        try directory.replaceFile(fileName, with: bytes, durability: .durable)
      }
      return try mixed(raw, machine)
    } catch let error as SecureStoreError {
      throw error
    } catch {
      throw .memory
    }
  }

  /// Derives a key for one use (`crypto_kdf_derive_from_key`).
  ///
  /// - Parameter context: 8 ASCII characters, different for every use.
  /// - Returns: the key, 32 bytes.
  /// - Throws: `memory`.
  package borrowing func subkey(_ context: StaticString) throws(SecureStoreError) -> SecretBytes {
    do {
      return try KeyDerivation.subkey(of: secret, identifier: 1, context: context)
    } catch {
      throw .memory
    }
  }

  // Tells another machine without telling anything of the key.
  static func mark(
    of machine: [UInt8], key: borrowing SecretBytes
  ) throws(SecretMemoryError) -> ArraySlice<UInt8> {
    try fingerprint(of: machine, key: key, length: 16).prefix(8)
  }

  /// Mixes the machine in, once its mark has shown that the file was made here.
  static func checked(
    key: ArraySlice<UInt8>, mark: ArraySlice<UInt8>, machine: [UInt8], path: String
  ) throws(SecureStoreError) -> MasterKey {
    do {
      let raw = try SecretBytes(copying: key)
      guard try self.mark(of: machine, key: raw).elementsEqual(mark) else {
        throw SecureStoreError.otherMachine(path: path)
      }
      return try mixed(raw, machine)
    } catch let error as SecureStoreError {
      throw error
    } catch {
      throw .memory
    }
  }

  private static func mixed(
    _ raw: borrowing SecretBytes, _ machine: [UInt8]
  ) throws(SecretMemoryError) -> MasterKey {
    var key = try fingerprint(of: machine + Array("mix".utf8), key: raw, length: 32)
    defer { wipe(&key) }
    return MasterKey(try SecretBytes(copying: key))
  }

  static func contents(
    of directory: Directory, path: String
  ) throws(SecureStoreError) -> [UInt8]? {
    do {
      return try directory.readFile(fileName, sizeLimit: ProtectedKey.length)
    } catch {
      if case .tooLarge = error { throw .keyFile(path: path) }
      throw .file(error)
    }
  }
}

/// Runs a call that throws `FileError` and wraps what it throws.
func fileCall<Result: ~Copyable>(
  _ body: () throws(FileError) -> Result
) throws(SecureStoreError) -> Result {
  do {
    return try body()
  } catch {
    throw .file(error)
  }
}
