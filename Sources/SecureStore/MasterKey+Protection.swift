package import FileSupport
import SecretMemory

extension MasterKey {
  /// Where what opens the key of a directory is kept.
  ///
  /// - Parameter directory: where the key file is.
  /// - Returns: nil when there is no key file.
  /// - Throws: `SecureStoreError`.
  package static func storage(in directory: Directory) throws(SecureStoreError) -> KeyStorage? {
    let path = directory.path + "/" + fileName
    guard var bytes = try contents(of: directory, path: path) else { return nil }
    defer { wipe(&bytes) }
    return ProtectedKey.storage(of: bytes) ?? .file
  }

  /// Opens a key that the file holds sealed.
  static func load(
    sealed bytes: [UInt8], path: String, machine: [UInt8], secret: SharedSecret
  ) throws(SecureStoreError) -> MasterKey {
    let content: SecretBytes
    do {
      content = try ProtectedKey.open(bytes, with: secret)
    } catch {
      switch error {
      case .malformed: throw .keyFile(path: path)
      case .tooCostly: throw .keyTooCostly(path: path)
      case .refused: throw .keyRefused(path: path, ProtectedKey.storage(of: bytes) ?? .file)
      case .memory: throw .memory
      }
    }
    var plain = content.copiedBytes()
    defer { wipe(&plain) }
    return try checked(key: plain[..<32], mark: plain[32...], machine: machine, path: path)
  }

  /// Writes the file of a new key that is kept sealed.
  static func write(
    _ raw: borrowing SecretBytes, in directory: Directory, named fileName: String,
    machine: [UInt8], protection: KeyProtection
  ) throws(SecureStoreError) {
    let sealed: [UInt8]
    do {
      let mark = Array(try MasterKey.mark(of: machine, key: raw))
      let content = try unsafe SecretBytes(count: raw.count + mark.count) {
        output throws(SecretMemoryError) in
        unsafe raw.withUnsafeBytes { key in unsafe output.copyMemory(from: key) }
        unsafe UnsafeMutableRawBufferPointer(rebasing: output[raw.count...]).copyBytes(from: mark)
      }
      sealed = try ProtectedKey.seal(content, by: protection)
    } catch {
      throw .memory
    }
    try fileCall { () throws(FileError) in
      try directory.replaceFile(fileName, with: sealed, durability: .durable)
    }
  }
}
