/// What must hold of a text before jansson sees it: length, no NUL byte, bounded nesting.
///
/// jansson allows 2048 levels, and takes a NUL after a number for the end of its input
/// (`n_multidigit_number_then_00` of JSONTestSuite).
struct InputGate {
  /// The longest text let through, in bytes.
  let maximumLength: Int
  /// The deepest nesting of arrays and objects let through.
  let maximumDepth: Int

  /// Checks a text in one pass.
  ///
  /// - Throws: `StrictJSONError` at the first byte that breaks a rule.
  func check(_ text: RawSpan) throws(StrictJSONError) {
    guard text.byteCount <= maximumLength else {
      throw StrictJSONError(
        reason: .tooLong(limit: maximumLength), line: 1, column: 0, offset: 0)
    }
    var depth = 0
    var inString = false
    var afterBackslash = false
    for index in 0..<text.byteCount {
      let byte = text.byte(at: index)
      if byte == 0 { throw Self.refusal(.nulByte, of: text, at: index) }
      if afterBackslash {
        afterBackslash = false
      } else if inString {
        if byte == UInt8(ascii: "\\") { afterBackslash = true }
        if byte == UInt8(ascii: "\"") { inString = false }
      } else {
        switch byte {
        case UInt8(ascii: "\""): inString = true
        case UInt8(ascii: "["), UInt8(ascii: "{"):
          depth += 1
          if depth > maximumDepth {
            throw Self.refusal(.tooDeep(limit: maximumDepth), of: text, at: index)
          }
        case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
        default: break
        }
      }
    }
  }

  /// An error at a byte, its position counted as jansson counts: characters, from 1.
  private static func refusal(
    _ reason: StrictJSONError.Reason, of text: RawSpan, at index: Int
  ) -> StrictJSONError {
    var line = 1
    var column = 0
    for position in 0...index {
      let byte = text.byte(at: position)
      if byte == UInt8(ascii: "\n") {
        line += 1
        column = 0
      } else if byte & 0xC0 != 0x80 {
        column += 1
      }
    }
    return StrictJSONError(reason: reason, line: line, column: column, offset: index + 1)
  }
}

extension RawSpan {
  /// One byte, bounds checked.
  fileprivate func byte(at index: Int) -> UInt8 {
    unsafe unsafeLoad(fromByteOffset: index, as: UInt8.self)
  }
}
