/// One JSON value of RFC 8259, section 3.
///
/// Integers and reals are told apart as jansson does: a number with a fraction or an exponent is
/// a real. Strings are compared by their UTF-8 bytes, never by canonical equivalence, because
/// `iss`, `sub` and `nonce` are compared through this type.
package enum JSONValue: Sendable {
  /// The literal `null`.
  case null
  /// The literals `true` and `false`.
  case bool(Bool)
  /// A number without fraction and exponent that fits 64 bits.
  case integer(Int64)
  /// A number with a fraction or an exponent.
  case real(Double)
  /// A string; it may hold U+0000 where the text wrote an escape for it.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object, its members in order.
  case object(JSONObject)
}

extension JSONValue: Equatable {
  /// Compares two values of the same kind; strings by bytes, objects member by member in order.
  package static func == (left: JSONValue, right: JSONValue) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let left), .bool(let right)): left == right
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.string(let left), .string(let right)): left.utf8.elementsEqual(right.utf8)
    case (.array(let left), .array(let right)): left == right
    case (.object(let left), .object(let right)): left == right
    default: false
    }
  }
}

extension JSONValue {
  /// Whether this is the literal `null`.
  package var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The Boolean, or nil for any other kind of value.
  package var bool: Bool? {
    if case .bool(let value) = self { value } else { nil }
  }

  /// The integer, or nil for any other kind of value; `1.0` and `1e3` are reals.
  package var integer: Int64? {
    if case .integer(let value) = self { value } else { nil }
  }

  /// The number as a double, whether written as an integer or as a real.
  package var number: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .real(let value): value
    default: nil
    }
  }

  /// The string, or nil for any other kind of value.
  package var string: String? {
    if case .string(let value) = self { value } else { nil }
  }

  /// The elements, or nil for any other kind of value.
  package var array: [JSONValue]? {
    if case .array(let elements) = self { elements } else { nil }
  }

  /// The object, or nil for any other kind of value.
  package var object: JSONObject? {
    if case .object(let object) = self { object } else { nil }
  }

  /// The member of that name, or nil where there is none or this is no object.
  package subscript(name: String) -> JSONValue? {
    object?[name]
  }
}
