/// Padding to whole blocks as in ISO/IEC 7816-4: one byte 0x80, then zeros (`sodium_pad`).
package enum Padding {
  /// Returns bytes filled up to a multiple of a block; always at least one byte longer.
  package static func pad(_ bytes: [UInt8], toMultipleOf block: Int) -> [UInt8] {
    var padded = bytes
    padded.append(0x80)
    let remainder = padded.count % block
    if remainder != 0 { padded.append(contentsOf: repeatElement(0, count: block - remainder)) }
    return padded
  }

  /// Returns the length of what was padded; nil when the end is no padding (`sodium_unpad`).
  package static func unpaddedCount(_ bytes: UnsafeRawBufferPointer, block: Int) -> Int? {
    guard bytes.count > 0, bytes.count % block == 0 else { return nil }
    let lowest = bytes.count - block
    var end = bytes.count
    // Most of it is zeros.
    while end >= lowest + 8,
      unsafe bytes.loadUnaligned(fromByteOffset: end - 8, as: UInt64.self) == 0
    {
      end -= 8
    }
    var index = end - 1
    while index >= lowest {
      let byte = unsafe bytes[index]
      if byte == 0x80 { return index }
      guard byte == 0 else { return nil }
      index -= 1
    }
    return nil
  }
}
