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
    members.issuer = string(named: "issuer")
    members.clientId = string(named: "clientId")
    members.accessToken = string(named: "accessToken")
    members.tokenType = string(named: "tokenType")
    members.refreshToken = string(named: "refreshToken")
    members.idToken = string(named: "idToken")
    members.scope = string(named: "scope")
    members.expiresAt = integer(named: "expiresAt").map { UnixTime(rawValue: $0) }
    // A member that was not taken stands here still.
    return take("}") && position == text.byteCount ? members : nil
  }

  private mutating func string(named name: String) -> String? {
    let before = position
    if take(",\""), take(name), take("\":\"") {
      let start = position
      while let byte, byte != UInt8(ascii: "\""), isPlain(byte) { position += 1 }
      let end = position
      if take("\"") {
        return unsafe text.extracting(start..<end).withUnsafeBytes { bytes in
          unsafe String(decoding: bytes, as: UTF8.self)
        }
      }
    }
    position = before
    return nil
  }

  private mutating func integer(named name: String) -> Int64? {
    let before = position
    if take(",\""), take(name), take("\":") {
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

  private mutating func take(_ expected: String) -> Bool {
    let before = position
    for next in expected.utf8 {
      guard byte == next else {
        position = before
        return false
      }
      position += 1
    }
    return true
  }

  private var byte: UInt8? {
    guard position < text.byteCount else { return nil }
    return unsafe text.unsafeLoad(fromByteOffset: position, as: UInt8.self)
  }

  private func isPlain(_ byte: UInt8) -> Bool {
    (0x20...0x7E).contains(byte) && byte != UInt8(ascii: "\\")
  }
}
