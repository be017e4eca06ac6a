/// Why a text was refused, and where; it never quotes the text.
///
/// jansson's own message ends in "near '...'" with input in it, and that input may be a token.
package struct StrictJSONError: Error, Sendable, Equatable {
  /// What is wrong with the text.
  package enum Reason: Sendable, Equatable {
    /// The text is longer than the caller's limit, in bytes.
    case tooLong(limit: Int)
    /// Arrays and objects are nested deeper than the caller's limit.
    case tooDeep(limit: Int)
    /// A NUL byte stands in the text, or an escaped one in a name.
    case nulByte
    /// A byte sequence is not UTF-8.
    case invalidUTF8
    /// The text ends inside a value, or is empty.
    case prematureEnd
    /// Something follows the value.
    case trailingText
    /// The text breaks the grammar of RFC 8259.
    case invalidSyntax
    /// One object has two members of one name.
    case duplicateName
    /// An integer does not fit 64 bits, or a real does not fit a double.
    case numberTooLarge
    /// No memory was left.
    case outOfMemory
  }

  /// What is wrong.
  package let reason: Reason
  /// The line in which it was found, from 1.
  package let line: Int
  /// The column, in characters from 1; 0 where nothing of the line had been read.
  package let column: Int
  /// How many bytes had been read when it was found.
  package let offset: Int
}

extension StrictJSONError: CustomStringConvertible {
  /// One sentence with the position; safe to log.
  package var description: String {
    "JSON refused at line \(line), column \(column) (byte \(offset)): \(reason)"
  }
}

extension StrictJSONError.Reason: CustomStringConvertible {
  /// What is wrong, in words.
  package var description: String {
    switch self {
    case .tooLong(let limit): "the text is longer than \(limit) bytes"
    case .tooDeep(let limit): "the nesting is deeper than \(limit)"
    case .nulByte: "NUL is not allowed here"
    case .invalidUTF8: "the text is not UTF-8"
    case .prematureEnd: "the text ends too early"
    case .trailingText: "something follows the value"
    case .invalidSyntax: "the text is not JSON"
    case .duplicateName: "a name occurs twice in one object"
    case .numberTooLarge: "a number is out of range"
    case .outOfMemory: "no memory is left"
    }
  }
}
