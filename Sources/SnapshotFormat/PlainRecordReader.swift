import Glibc
import SessionModel

/// Reads a record in the very form in which the host writes it: the schema's order, ASCII, no
/// escapes, no white space.
///
/// It decides nothing: whatever is written otherwise is left to the JSON parser, and what is read
/// here the parser reads alike. It takes a fifth of the parser's instructions, where these are most
/// of what reading a snapshot costs, and it leaves no copies of the tokens in the parser's memory.
struct PlainRecordReader: ~Escapable {
  private let text: RawSpan
  private var position = 0

  /// Creates a reader at the beginning of a text.
  @_lifetime(copy text)
  init(_ text: RawSpan) { self.text = text }

  /// Reads the whole text; nil when it is for the parser.
  mutating func members() -> RecordMembers? {
    guard take(#"{"version":1"#) else { return nil }
    var members = RecordMembers()
    members.issuer = string(after: #","issuer":""#)
    members.clientId = string(after: #","clientId":""#)
    members.accessToken = string(after: #","accessToken":""#)
    members.tokenType = string(after: #","tokenType":""#)
    members.refreshToken = string(after: #","refreshToken":""#)
    members.idToken = string(after: #","idToken":""#)
    members.scope = string(after: #","scope":""#)
    members.expiresAt = integer(after: #","expiresAt":"#).map { UnixTime(rawValue: $0) }
    // A member that was not taken stands here still.
    return take("}") && position == text.byteCount ? members : nil
  }

  private mutating func string(after prefix: StaticString) -> String? {
    let before = position
    guard take(prefix), let text = plainText() else {
      position = before
      return nil
    }
    return text
  }

  /// Reads up to a quotation mark and past it; nil where not every character stands for itself.
  private mutating func plainText() -> String? {
    let (text, count): (String?, Int) = unsafe text.extracting(position...).withUnsafeBytes {
      unsafe plainText(of: $0)
    }
    position += count
    return text
  }

  private func plainText(of rest: UnsafeRawBufferPointer) -> (String?, Int) {
    guard let start = rest.baseAddress,
      let end = unsafe memchr(start, Int32(UInt8(ascii: "\"")), rest.count)
    else { return (nil, 0) }
    let count = unsafe UnsafeRawPointer(end) - start
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: rest[..<count])
    let isPlain = unsafe bytes.allSatisfy { (0x20...0x7E).contains($0) && $0 != UInt8(ascii: "\\") }
    return isPlain ? (unsafe String(decoding: bytes, as: UTF8.self), count + 1) : (nil, 0)
  }

  private mutating func integer(after prefix: StaticString) -> Int64? {
    let before = position
    if take(prefix) {
      let start = position
      let first = byte
      var value: Int64 = 0
      // Eighteen digits fit whatever they are.
      while position < start + 18, let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      {
        value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        position += 1
      }
      let count = position - start
      if count == 1 || count > 1 && first != UInt8(ascii: "0") { return value }
    }
    position = before
    return nil
  }

  private mutating func take(_ expected: StaticString) -> Bool {
    let count = expected.utf8CodeUnitCount
    guard text.byteCount - position >= count else { return false }
    let isThere = unsafe text.extracting(position..<position + count).withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress else { return count == 0 }
      return unsafe memcmp(start, expected.utf8Start, count) == 0
    }
    if isThere { position += count }
    return isThere
  }

  private var byte: UInt8? {
    guard position < text.byteCount else { return nil }
    return unsafe text.unsafeLoad(fromByteOffset: position, as: UInt8.self)
  }
}
