/// Writes little-endian values one after the other; the counterpart of the format's cursor.
struct ByteWriter {
  /// What has been written.
  private(set) var bytes: [UInt8] = []

  /// Creates a writer that has written nothing yet.
  ///
  /// - Parameter capacity: how many bytes go where the first is put; more are copied elsewhere.
  init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  /// Writes a number in its type's width.
  mutating func write(_ number: some FixedWidthInteger) {
    var rest = number
    for _ in 0..<number.bitWidth / 8 {
      bytes.append(UInt8(truncatingIfNeeded: rest))
      rest >>= 8
    }
  }

  /// Writes bytes as they are.
  mutating func write(_ bytes: [UInt8]) {
    self.bytes += bytes
  }

  /// Writes the bytes of a memory as they are.
  mutating func write(contentsOf memory: UnsafeRawBufferPointer) {
    unsafe bytes.append(contentsOf: memory)
  }

  /// Writes a text: its length in two bytes, then UTF-8.
  mutating func write(_ text: String) {
    write(UInt16(text.utf8.count))
    bytes += text.utf8
  }

  /// Writes one byte that says whether a value follows, then the value.
  mutating func write<Value>(
    optional value: Value?, _ writeValue: (inout ByteWriter, Value) -> Void
  ) {
    write(UInt8(value == nil ? 0 : 1))
    if let value { writeValue(&self, value) }
  }
}
