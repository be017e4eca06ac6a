import CSodium

/// Base 64 with the URL-safe alphabet and without padding (RFC 4648 5, RFC 7515 2).
package enum Base64URL {
  /// Encodes bytes (`sodium_bin2base64`).
  package static func encode(_ bytes: [UInt8]) -> String {
    let capacity = csodium_base64url_capacity(bytes.count)
    return unsafe String(unsafeUninitializedCapacity: capacity) { output in
      unsafe csodium_base64url_encode(output.baseAddress, capacity, bytes, bytes.count)
      return capacity - 1  // The C function counts its final NUL.
    }
  }

  /// Decodes a text (`sodium_base642bin`); nil for padding, white space, another alphabet or
  /// trailing bits that are not zero.
  package static func decode(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    var length = -1
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: characters.count) { output, count in
      length = unsafe csodium_base64url_decode(
        output.baseAddress, characters.count, characters, characters.count)
      count = max(length, 0)
    }
    return length >= 0 ? bytes : nil
  }
}
