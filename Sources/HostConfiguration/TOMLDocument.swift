import CTOML

/// Where something stands in a file, counted from 1.
struct TOMLPosition: Sendable, Hashable, Comparable {
  /// The line, 0 where it is not known.
  let line: Int
  /// The column, 0 where it is not known.
  let column: Int

  static func < (left: Self, right: Self) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// A value together with where it stands.
struct TOMLValue: Sendable {
  /// What a value is.
  enum Content: Sendable {
    /// A table, its keys in the order of the file.
    case table([TOMLEntry])
    /// An array.
    case array([TOMLValue])
    /// A string.
    case string(String)
    /// An integer.
    case integer(Int64)
    /// A number with a fraction or an exponent.
    case float(Double)
    /// True or false.
    case boolean(Bool)
    /// A date, a time or both.
    case date
  }

  /// What it is.
  let content: Content
  /// Where it begins.
  let position: TOMLPosition

  /// What an error calls a value of this kind.
  var kind: String {
    switch content {
    case .table: "a table"
    case .array: "a list"
    case .string: "a string"
    case .integer: "an integer"
    case .float: "a number"
    case .boolean: "a boolean"
    case .date: "a date"
    }
  }
}

/// A key of a table with its value.
struct TOMLEntry: Sendable {
  /// The key.
  let key: String
  /// Where the key stands.
  let position: TOMLPosition
  /// The value.
  let value: TOMLValue
}

/// Why a text is not TOML.
struct TOMLSyntaxError: Error, Sendable, Hashable {
  /// What the parser says; it quotes no value.
  let message: String
  /// Where it stopped.
  let position: TOMLPosition

  /// The message as the end of an error, with what to do where that is known.
  var sentence: String {
    // toml++ begins with what it was reading, which helps nobody but its authors.
    let start = "Error while parsing "
    var text = message[...]
    if text.hasPrefix(start), let colon = text.firstIndex(of: ":") {
      text = text[colon...].dropFirst(2)
    }
    let mend =
      if text.contains("redefine") {
        "; keep one of the two"
      } else if text.contains("could not determine value type") {
        "; put text between quotes"
      } else if text.contains("control characters") {
        "; is a quote missing at the end of the line?"
      } else if text.contains("unknown escape sequence") {
        "; write \\\\ for one \\, or use single quotes"
      } else {
        ""
      }
    return "this is not TOML: " + text + mend
  }
}

/// Reads TOML 1.0 through toml++ (`ctoml_parse`).
enum TOMLDocument {
  /// Parses a text.
  ///
  /// - Parameter bytes: The text in UTF-8.
  /// - Returns: The top-level table's entries.
  /// - Throws: `TOMLSyntaxError` with the place of the first error.
  static func parse(_ bytes: [UInt8]) throws(TOMLSyntaxError) -> [TOMLEntry] {
    let parsed = unsafe bytes.withUnsafeBytes { buffer in
      unsafe ctoml_parse(buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count)
    }
    guard let document = unsafe parsed else {
      throw TOMLSyntaxError(message: "out of memory", position: TOMLPosition(line: 0, column: 0))
    }
    defer { unsafe ctoml_free(document) }
    if let message = unsafe document.pointee.error {
      throw TOMLSyntaxError(
        message: unsafe String(cString: message),
        position: TOMLPosition(
          line: unsafe Int(document.pointee.error_line),
          column: unsafe Int(document.pointee.error_column)))
    }
    let nodes = unsafe UnsafeBufferPointer(
      start: document.pointee.nodes, count: document.pointee.count)
    return unsafe entries(of: nodes)
  }

  // From the last node to the first: what a table or array holds is then known before it.
  private static func entries(of nodes: UnsafeBufferPointer<ctoml_node>) -> [TOMLEntry] {
    var members = [[TOMLEntry]](repeating: [], count: nodes.count)
    for index in nodes.indices.reversed() {
      let node = unsafe nodes[index]
      // Tables of toml++ are sorted by key; people read their file by line.
      let own =
        unsafe node.kind == Int32(CTOML_TABLE.rawValue)
        ? members[index].sorted { $0.position < $1.position } : members[index].reversed()
      members[index] = []
      let value = TOMLValue(
        content: unsafe content(of: node, members: own),
        position: TOMLPosition(line: unsafe Int(node.line), column: unsafe Int(node.column)))
      let entry = TOMLEntry(
        key: unsafe text(node.key, node.key_length),
        position: TOMLPosition(
          line: unsafe Int(node.key_line), column: unsafe Int(node.key_column)),
        value: value)
      if index == 0 { return own }
      members[unsafe Int(node.parent)].append(entry)
    }
    return []
  }

  private static func content(of node: ctoml_node, members: [TOMLEntry]) -> TOMLValue.Content {
    switch unsafe UInt32(bitPattern: node.kind) {
    case CTOML_TABLE.rawValue: .table(members)
    case CTOML_ARRAY.rawValue: .array(members.map(\.value))
    case CTOML_STRING.rawValue: unsafe .string(text(node.text, node.text_length))
    case CTOML_INTEGER.rawValue: unsafe .integer(node.integer)
    case CTOML_FLOAT.rawValue: unsafe .float(node.number)
    case CTOML_BOOLEAN.rawValue: unsafe .boolean(node.integer != 0)
    default: .date
    }
  }

  private static func text(_ start: UnsafePointer<CChar>?, _ length: Int) -> String {
    guard let start = unsafe start else { return "" }
    let bytes = unsafe UnsafeRawBufferPointer(start: start, count: length)
    return unsafe String(decoding: bytes, as: UTF8.self)
  }
}
