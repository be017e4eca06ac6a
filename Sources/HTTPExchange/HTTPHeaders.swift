/// The header fields of an answer, in the order received; names are compared without case.
package struct HTTPHeaders: Sendable {
  /// Every field with its name as received.
  package private(set) var fields: [(name: String, value: String)] = []

  /// Makes a list of fields.
  package init(_ fields: [(name: String, value: String)] = []) {
    self.fields = fields
  }

  /// Adds a field after the others.
  package mutating func append(name: String, value: String) {
    fields.append((name, value))
  }

  /// Removes every field.
  package mutating func removeAll() {
    fields.removeAll()
  }

  /// The values of every field with a name, in the order received.
  package func values(_ name: String) -> [String] {
    fields.filter { Self.same($0.name, name) }.map(\.value)
  }

  /// The value of the first field with a name.
  package subscript(name: String) -> String? {
    fields.first { Self.same($0.name, name) }?.value
  }

  /// Compares field names as RFC 9110, 5.1 does: ASCII letters without case, all else by bytes.
  static func same(_ one: String, _ other: String) -> Bool {
    one.utf8.lazy.map(lowercased).elementsEqual(other.utf8.lazy.map(lowercased))
  }

  private static func lowercased(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }
}
