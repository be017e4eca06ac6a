import StrictJSON

/// The input is a JSON text.
enum JSONInput {
  static func digest(_ input: [UInt8]) throws(FuzzFinding) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: input)
    } catch {
      try demand(
        error.line >= 1 && error.column >= 0 && error.offset >= 0
          && error.offset <= input.count + 1,
        "an error stands in its text")
      return
    }
    let text = value.encoded()
    guard let again = try? JSONValue(parsing: text, maximumLength: .max) else {
      throw FuzzFinding("what is written can be read")
    }
    try demand(again == value, "what is written says the same")
    try demand(again.encoded() == text, "what is written twice is written alike")
  }
}
