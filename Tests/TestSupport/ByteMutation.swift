/// What a test puts into bytes to see what becomes of them.
package enum ByteMutation {
  /// What JSON is made of, what it forbids, and what parsers stumble over.
  package static let jsonWords = [
    "NaN", "Infinity", "-Infinity", "1e400", "1e-400", "-0", "-0.0", "01", "0.1e+2", "1E5", "1.",
    ".5",
    "9223372036854775807", "9223372036854775808", "-9223372036854775808", "-9223372036854775809",
    "123456789.123456789e-5", "-", "+1", "{", "}", "[", "]", ",", ":", "\"", "\\", " ", "\t", "\n",
    "\r", "\u{B}", "\\u0000", "\\ud800", "\\udc00", "\\ud83d\\udd10", "\\u00e4", "\\u00E4", "\\uD8",
    "\\n", "\\/", "\\x", "\\b\\f", "\u{E4}", "\u{10FFFF}", "\u{FEFF}", "\u{0}", "\u{7F}", "\u{1F}",
    "/", "null", "true", "false", "nul", "\"a\":1", "\"a\":", "\"\":{}", "[[[[[[[[[[[[[[[[[",
    "]]]]]]]]]]]]]]]]]", "//", "/**/", "'",
  ]
}

extension [UInt8] {
  /// Changes one place: a bit, a byte, a few bytes more or less, a word.
  ///
  /// - Parameters:
  ///   - words: what may be put in.
  ///   - random: decides what, and where.
  package mutating func mutate(
    with words: [String], using random: inout some RandomNumberGenerator
  ) {
    let index = Int.random(in: 0...count, using: &random)
    let end = Swift.min(count, index + Int.random(in: 0...6, using: &random))
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where index < count: self[index] ^= 1 << UInt8.random(in: 0..<8, using: &random)
    case 1 where index < count: self[index] = UInt8.random(in: 0...255, using: &random)
    case 2: removeSubrange(index..<end)
    case 3: insert(contentsOf: self[index..<end], at: index)
    default:
      let word = words.randomElement(using: &random) ?? ""
      replaceSubrange(index..<end, with: word.utf8)
    }
  }
}
