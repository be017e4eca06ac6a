import SessionModel
package import StrictJSON

/// Why a frame is no message: the text names what is wrong and quotes no value.
package struct ControlMessageError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, one sentence without a full stop.
  package let description: String

  init(_ description: String) {
    self.description = description
  }
}

/// Takes the members of one message, each once, by name and kind.
struct MessageMembers {
  private let object: JSONObject
  private let what: String
  private var taken: Set<String> = []

  /// Parses a frame that must hold one object.
  ///
  /// - Parameters:
  ///   - frame: the frame without its line feed.
  ///   - what: how errors call it, for example "the request".
  /// - Throws: `ControlMessageError`.
  init(parsing frame: [UInt8], as what: String) throws(ControlMessageError) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: frame, maximumDepth: 4, maximumLength: FrameBuffer.limit)
    } catch {
      throw ControlMessageError("\(what) cannot be read: \(error)")
    }
    guard let object = value.object else { throw ControlMessageError("\(what) is no object") }
    self.object = object
    self.what = what
  }

  /// A member that may be absent or null.
  mutating func value(_ name: String) -> JSONValue? {
    taken.insert(name)
    guard let value = object[name], !value.isNull else { return nil }
    return value
  }

  /// A text that may be absent.
  ///
  /// - Throws: `ControlMessageError` when it is something else.
  mutating func text(_ name: String) throws(ControlMessageError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw wrong(name, "a string") }
    return text
  }

  /// A text that has to be there.
  ///
  /// - Throws: `ControlMessageError`.
  mutating func requiredText(_ name: String) throws(ControlMessageError) -> String {
    guard let text = try text(name) else { throw missing(name) }
    return text
  }

  /// A whole number that may be absent.
  ///
  /// - Throws: `ControlMessageError` when it is something else.
  mutating func integer(_ name: String) throws(ControlMessageError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard let number = value.integer else { throw wrong(name, "a whole number") }
    return number
  }

  /// A count of seconds that may be absent.
  ///
  /// - Throws: `ControlMessageError` when it is something else, or negative.
  mutating func seconds(_ name: String) throws(ControlMessageError) -> Duration? {
    guard let number = try integer(name) else { return nil }
    guard number >= 0 else { throw wrong(name, "a whole number of seconds, zero or more") }
    return .seconds(number)
  }

  /// A generation that may be absent.
  ///
  /// - Throws: `ControlMessageError` when it is something else.
  mutating func generation(_ name: String) throws(ControlMessageError) -> UInt64? {
    guard let value = value(name) else { return nil }
    guard let generation = UInt64(generation: value) else { throw wrong(name, "a generation") }
    return generation
  }

  /// A namespace that has to be there.
  ///
  /// - Throws: `ControlMessageError`.
  mutating func namespace(_ name: String = "namespace") throws(ControlMessageError) -> Namespace {
    guard let namespace = Namespace(try requiredText(name)) else {
      throw wrong(name, "a namespace")
    }
    return namespace
  }

  /// Refuses members that nobody has asked for.
  ///
  /// - Throws: `ControlMessageError` with the first of them.
  func refuseOthers() throws(ControlMessageError) {
    for member in object.members where !taken.contains(member.name) {
      throw ControlMessageError(
        "\(what) has a member \(PrintableText.quoted(member.name)) that is not known")
    }
  }

  /// The error for a member that is not there.
  func missing(_ name: String) -> ControlMessageError {
    ControlMessageError("\(what) has no member \"\(name)\"")
  }

  /// The error for a member of the wrong kind.
  func wrong(_ name: String, _ expected: String) -> ControlMessageError {
    ControlMessageError("\(what)'s member \"\(name)\" is not \(expected)")
  }
}

extension UInt64 {
  /// Reads a generation: a whole number, or its digits as a string where 63 bits are too few.
  init?(generation value: JSONValue) {
    if let number = value.integer {
      self.init(exactly: number)
    } else if let digits = value.string, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) {
      self.init(digits)
    } else {
      return nil
    }
  }

  /// The generation as JSON: a whole number, or its digits as a string beyond 63 bits.
  package var generationValue: JSONValue {
    Int64(exactly: self).map { .integer($0) } ?? .string(String(self))
  }
}
