/// One name and value of a query string or of an `application/x-www-form-urlencoded` body.
package struct FormItem: Sendable, Equatable {
  /// The decoded name.
  package let name: String

  /// The decoded value; empty where the item has no `=`.
  package let value: String

  /// Joins a name and a value.
  package init(name: String, value: String) {
    self.name = name
    self.value = value
  }
}

extension FormItem {
  /// Decodes a form exactly, keeping the order and every duplicate (RFC 6749 appendix B).
  ///
  /// - Parameter text: The bytes between `?` and the end of the target, or a whole body.
  /// - Returns: The items, or nil where an escape is not two hex digits, where a byte decodes to NUL
  ///   (it would end a C string early and hide what follows), or where the text is not UTF-8.
  package static func decode(_ text: some Sequence<UInt8>) -> [FormItem]? {
    var items: [FormItem] = []
    for part in Array(text).split(separator: UInt8(ascii: "&")) {
      let name: ArraySlice<UInt8>
      let value: ArraySlice<UInt8>
      if let equals = part.firstIndex(of: UInt8(ascii: "=")) {
        name = part[..<equals]
        value = part[(equals + 1)...]
      } else {
        name = part
        value = []
      }
      guard let name = unescape(name), let value = unescape(value) else { return nil }
      items.append(FormItem(name: name, value: value))
    }
    return items
  }

  /// Encodes items as a form: unreserved characters stay, every other byte becomes `%XX`.
  package static func encode(_ items: [FormItem]) -> String {
    items.map { escape($0.name) + "=" + escape($0.value) }.joined(separator: "&")
  }

  /// Decodes one name or value by the same rules; nil where it is malformed.
  package static func unescape(_ text: ArraySlice<UInt8>) -> String? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count)
    var rest = text
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "+"):
        bytes.append(UInt8(ascii: " "))
      case UInt8(ascii: "%"):
        guard let high = rest.popFirst().flatMap(hexValue),
          let low = rest.popFirst().flatMap(hexValue), high << 4 | low != 0
        else { return nil }
        bytes.append(high << 4 | low)
      case 0:
        return nil
      default:
        bytes.append(byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func escape(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "_"), UInt8(ascii: "~"):
        bytes.append(byte)
      default:
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension Sequence<FormItem> {
  /// Returns the values of one name, in order; more than one is a malformed request (RFC 6749 3.1).
  package func values(named name: String) -> [String] {
    filter { $0.name.utf8.elementsEqual(name.utf8) }.map(\.value)
  }
}
