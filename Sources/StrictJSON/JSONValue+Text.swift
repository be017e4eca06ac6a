extension JSONValue {
  /// Parses a JSON text of RFC 8259 without its loose ends.
  ///
  /// Refused besides what the grammar refuses: duplicate names, NUL bytes, a byte order mark,
  /// anything but UTF-8, lone surrogates, and numbers that fit neither `Int64` nor `Double`.
  /// The bytes are read in place and jansson wipes what it frees; the strings of the result are
  /// ordinary Swift strings, which nobody wipes.
  ///
  /// - Parameters:
  ///   - text: the whole text; white space around the value is allowed.
  ///   - maximumDepth: the deepest nesting of arrays and objects allowed.
  ///   - maximumLength: the longest text allowed, in bytes.
  /// - Throws: `StrictJSONError`, which names the place and never quotes the text.
  package init(
    parsing text: RawSpan, maximumDepth: Int = 64, maximumLength: Int = 1 << 20
  ) throws(StrictJSONError) {
    try InputGate(maximumLength: maximumLength, maximumDepth: maximumDepth).check(text)
    self = try JanssonTree(parsing: text).value
  }

  /// Parses a JSON text held in an array, by the same rules.
  ///
  /// - Throws: `StrictJSONError`, which names the place and never quotes the text.
  package init(
    parsing text: [UInt8], maximumDepth: Int = 64, maximumLength: Int = 1 << 20
  ) throws(StrictJSONError) {
    try unsafe self.init(
      parsing: text.span.bytes, maximumDepth: maximumDepth, maximumLength: maximumLength)
  }

  /// The value as compact JSON text, members in order; a real that is not finite becomes null.
  package func encoded() -> [UInt8] {
    JanssonTree(self).text
  }
}

extension JSONObject {
  /// The object as compact JSON text, members in order; a real that is not finite becomes null.
  package func encoded() -> [UInt8] {
    JSONValue.object(self).encoded()
  }

  /// The compact JSON text and a line end, as programs write one object after another.
  package var line: String { String(decoding: encoded(), as: UTF8.self) + "\n" }
}
