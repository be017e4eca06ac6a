package import SecretMemory

/// A key as keyrings, password stores and credentials keep it: 32 random bytes in base 64.
package enum KeyText {
  /// The greatest number of bytes that may come with it.
  package static let sizeLimit = 4096

  /// Makes a new key.
  ///
  /// - Returns: one line without its end, 43 characters.
  /// - Throws: `memory`.
  package static func random() throws(SecureStoreError) -> String {
    do {
      return Base64URL.encode(try SecretBytes(randomCount: 32).copiedBytes())
    } catch {
      throw .memory
    }
  }

  /// Reads a key; line ends behind it do not count.
  ///
  /// - Parameter bytes: what a keyring gave.
  /// - Returns: the key; nil for anything else, such as a password that could be guessed.
  /// - Throws: `memory`.
  package static func parse(_ bytes: [UInt8]) throws(SecureStoreError) -> SharedSecret? {
    let text = withoutLineEnd(bytes)
    guard text.count == 43,
      var key = Base64URL.decode(String(decoding: text, as: UTF8.self)), key.count == 32
    else { return nil }
    defer { wipe(&key) }
    do {
      return SharedSecret(try SecretBytes(copying: key))
    } catch {
      throw .memory
    }
  }

  /// Reads a passphrase; line ends behind it do not count.
  ///
  /// - Parameter bytes: what a prompt gave.
  /// - Returns: the passphrase; nil for an empty one.
  /// - Throws: `memory`.
  package static func passphrase(_ bytes: [UInt8]) throws(SecureStoreError) -> SharedSecret? {
    let text = withoutLineEnd(bytes)
    guard !text.isEmpty else { return nil }
    do {
      return SharedSecret(try SecretBytes(copying: text))
    } catch {
      throw .memory
    }
  }

  private static func withoutLineEnd(_ bytes: [UInt8]) -> ArraySlice<UInt8> {
    var text = bytes[...]
    while let last = text.last, [0x0A, 0x0D].contains(last) { text.removeLast() }
    return text
  }
}
