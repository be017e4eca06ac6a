import CJansson

/// A value as jansson holds it, freed with its owner.
///
/// This file is the only one that sees jansson's types.
@safe struct JanssonTree: ~Copyable {
  private let root: UnsafeMutablePointer<json_t>

  /// Parses a text that has passed the gate with `json_loadb()`.
  ///
  /// - Throws: `StrictJSONError` with jansson's position and without jansson's text.
  init(parsing text: RawSpan) throws(StrictJSONError) {
    _ = wipingFreeIsInstalled
    var failure = json_error_t()
    // U+0000 may stand in a string as an escape: lengths are taken from jansson, never by strlen().
    let flags = Int(JSON_REJECT_DUPLICATES) | Int(JSON_DECODE_ANY) | Int(JSON_ALLOW_NUL)
    let parsed = unsafe text.withUnsafeBytes { buffer in
      unsafe json_loadb(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), buffer.count, flags, &failure)
    }
    guard let parsed = unsafe parsed else { throw StrictJSONError(failure) }
    unsafe root = parsed
  }

  /// Builds jansson's form of a value.
  init(_ value: JSONValue) {
    _ = wipingFreeIsInstalled
    unsafe root = Self.node(value)
  }

  deinit {
    unsafe json_decref(root)
  }

  /// The value, copied out.
  var value: JSONValue {
    unsafe Self.value(root)
  }

  /// The compact text of RFC 8259, written by `json_dumpb()`.
  var text: [UInt8] {
    let flags = Int(JSON_COMPACT) | Int(JSON_ENCODE_ANY)
    // Measured first, so that the text is written once, into its final place.
    let length = unsafe json_dumpb(root, nil, 0, flags)
    return unsafe Array(unsafeUninitializedCapacity: length) { buffer, count in
      count = unsafe buffer.withMemoryRebound(to: CChar.self) { characters in
        unsafe json_dumpb(root, characters.baseAddress, length, flags)
      }
    }
  }

  /// Copies a node; the gate has bounded the recursion.
  private static func value(_ node: UnsafeMutablePointer<json_t>) -> JSONValue {
    switch unsafe node.pointee.type {
    case JSON_OBJECT: return unsafe .object(object(node))
    case JSON_ARRAY:
      let elements = unsafe (0..<json_array_size(node)).compactMap { index in
        unsafe json_array_get(node, index).map { element in unsafe value(element) }
      }
      return .array(elements)
    case JSON_STRING:
      return unsafe .string(string(json_string_value(node), length: json_string_length(node)))
    case JSON_INTEGER: return unsafe .integer(json_integer_value(node))
    case JSON_REAL: return unsafe .real(json_real_value(node))
    case JSON_TRUE: return .bool(true)
    case JSON_FALSE: return .bool(false)
    default: return .null
    }
  }

  /// Copies an object in jansson's order, which is that of the text.
  private static func object(_ node: UnsafeMutablePointer<json_t>) -> JSONObject {
    var members: [JSONObject.Member] = []
    members.reserveCapacity(unsafe json_object_size(node))
    var iterator = unsafe json_object_iter(node)
    while let current = unsafe iterator {
      let name = unsafe string(
        json_object_iter_key(current), length: json_object_iter_key_len(current))
      if let member = unsafe json_object_iter_value(current) {
        members.append(unsafe JSONObject.Member(name: name, value: value(member)))
      }
      unsafe iterator = json_object_iter_next(node, current)
    }
    return JSONObject(distinct: members)
  }

  /// Copies a string that jansson has checked to be UTF-8.
  private static func string(_ characters: UnsafePointer<CChar>?, length: Int) -> String {
    let buffer = unsafe UnsafeRawBufferPointer(start: characters, count: length)
    return unsafe String(decoding: buffer, as: UTF8.self)
  }

  /// Builds a node, which the caller owns.
  private static func node(_ value: JSONValue) -> UnsafeMutablePointer<json_t> {
    let node: UnsafeMutablePointer<json_t>?
    switch value {
    case .null: unsafe node = json_null()
    case .bool(let value): unsafe node = value ? json_true() : json_false()
    case .integer(let value): unsafe node = json_integer(value)
    // JSON has no infinity and no NaN: null, as ECMAScript's JSON.stringify does.
    case .real(let value): unsafe node = value.isFinite ? json_real(value) : json_null()
    case .string(var value):
      unsafe node = value.withUTF8 { bytes in
        unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
          unsafe json_stringn_nocheck(characters.baseAddress, characters.count)
        }
      }
    case .array(let elements):
      unsafe node = json_array()
      for element in elements {
        unsafe Self.require(json_array_append_new(node, Self.node(element)) == 0)
      }
    case .object(let object):
      unsafe node = json_object()
      for member in object.members {
        var name = member.name
        name.withUTF8 { bytes in
          unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
            unsafe Self.require(
              json_object_setn_new_nocheck(
                node, characters.baseAddress, characters.count, Self.node(member.value)) == 0)
          }
        }
      }
    }
    guard let node = unsafe node else { fatalError(outOfMemory) }
    return unsafe node
  }

  /// Traps as Swift's own allocations do: a text with members missing would be worse.
  private static func require(_ isDone: Bool) {
    guard isDone else { fatalError(outOfMemory) }
  }

  private static let outOfMemory = "no memory is left for JSON"
}

/// Installs the wiping free once per process, before jansson's first allocation here.
private let wipingFreeIsInstalled: Void = tokenvault_json_install_wiping_free()

extension StrictJSONError {
  /// Takes code and position of jansson's error and leaves its text, which quotes the input.
  fileprivate init(_ failure: json_error_t) {
    let code = unsafe withUnsafePointer(to: failure) { failure in
      unsafe json_error_code(UInt32(tokenvault_json_error_code(failure)))
    }
    let reason: Reason =
      switch code {
      case json_error_out_of_memory: .outOfMemory
      case json_error_invalid_utf8: .invalidUTF8
      case json_error_premature_end_of_input, json_error_invalid_argument: .prematureEnd
      case json_error_end_of_input_expected: .trailingText
      case json_error_null_character, json_error_null_byte_in_key: .nulByte
      case json_error_duplicate_key: .duplicateName
      case json_error_numeric_overflow: .numberTooLarge
      default: .invalidSyntax
      }
    self.init(
      reason: reason, line: max(1, Int(failure.line)), column: max(0, Int(failure.column)),
      offset: Int(failure.position))
  }
}
