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
