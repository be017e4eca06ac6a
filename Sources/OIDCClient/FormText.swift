/// The `application/x-www-form-urlencoded` text of RFC 6749, appendix B.
enum FormText {
  /// Encodes one name or value for a body: everything but unreserved characters, a space as `+`.
  static func encode(_ text: String) -> String {
    encode(text, space: [0x2B])
  }

  /// Encodes pairs in their order for a body.
  static func body(_ pairs: [(String, String)]) -> [UInt8] {
    Array(pairs.map { "\(encode($0.0))=\(encode($0.1))" }.joined(separator: "&").utf8)
  }

  /// Encodes pairs in their order for a query, where `%20` is a space to every decoder.
  static func query(_ pairs: [(String, String)]) -> String {
    let space = Array("%20".utf8)
    return pairs.map { "\(encode($0.0, space: space))=\(encode($0.1, space: space))" }
      .joined(separator: "&")
  }

  /// Decodes a body in which each name stands once.
  ///
  /// - Returns: the pairs in their order; nil for a repeated name, a broken escape, a NUL, or text
  ///   that is not UTF-8.
  static func decode(_ body: [UInt8]) -> [(name: String, value: String)]? {
    var pairs: [(name: String, value: String)] = []
    for item in body.split(separator: 0x26) {
      let sides = item.split(separator: 0x3D, maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = unescape(sides[0]),
        let value = sides.count == 2 ? unescape(sides[1]) : "",
        !pairs.contains(where: { sameBytes($0.name, name) })
      else { return nil }
      pairs.append((name, value))
    }
    return pairs
  }

  private static func unescape(_ bytes: ArraySlice<UInt8>) -> String? {
    var plain: [UInt8] = []
    var rest = bytes
    while let byte = rest.popFirst() {
      switch byte {
      case 0x2B: plain.append(0x20)
      case 0x25:
        guard let high = rest.popFirst().flatMap(number), let low = rest.popFirst().flatMap(number)
        else { return nil }
        plain.append(high << 4 | low)
      default: plain.append(byte)
      }
    }
    return plain.contains(0) ? nil : String(validating: plain, as: UTF8.self)
  }

  private static func number(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case 0x41...0x46: digit - 0x41 + 10
    case 0x61...0x66: digit - 0x61 + 10
    default: nil
    }
  }

  private static func encode(_ text: String, space: [UInt8]) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        bytes.append(byte)
      case 0x20:
        bytes += space
      default:
        bytes += [0x25, digit(byte >> 4), digit(byte & 15)]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    value < 10 ? 0x30 + value : 0x41 + value - 10
  }
}
