import SessionModel

/// Takes values out of one table by key and reports what does not fit.
///
/// A key that is never asked for is unknown: what the code reads is what the file may hold.
struct TableReader {
  /// How errors call the table: `in [namespaces.primary]`.
  let place: String
  /// Where the table begins.
  let position: TOMLPosition
  /// Where problems go.
  let findings: Findings
  private let entries: [TOMLEntry]
  private var known: [String] = []

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - name: The table's dotted name, empty for the top level.
  ///   - entries: What it holds.
  ///   - position: Where it begins.
  ///   - findings: Where problems go.
  init(name: String, entries: [TOMLEntry], position: TOMLPosition, findings: Findings) {
    place = name.isEmpty ? "at the top level" : "in [\(name)]"
    self.position = position
    self.findings = findings
    self.entries = entries
  }

  /// The entry of a key, whatever its value is.
  ///
  /// - Parameter key: The key, from now on known.
  /// - Returns: The entry, nil when the table lacks it.
  mutating func entry(_ key: String) -> TOMLEntry? {
    known.append(key)
    return entries.first { $0.key.utf8.elementsEqual(key.utf8) }
  }

  /// A string without control characters that is not empty.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - example: What an error shows as an example, without quotes.
  /// - Returns: The string and where it stands; nil when it is absent or wrong.
  mutating func string(_ key: String, example: String) -> (text: String, at: TOMLPosition)? {
    guard let entry = entry(key) else { return nil }
    guard case .string(let text) = entry.value.content else {
      reportKind(entry, "a string", example: "\"\(example)\"")
      return nil
    }
    return checked(text, of: entry).map { ($0, entry.value.position) }
  }

  /// A list of strings.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - expected: What the list has to be, for errors.
  ///   - example: The example of an error, with brackets.
  ///   - allowsSingle: Whether one string may stand for a list of one.
  ///   - allowsEmpty: Whether the list may be empty.
  /// - Returns: The strings and where each stands; nil when the key is absent or wrong.
  mutating func strings(
    _ key: String, expected: String = "a list of strings", example: String,
    allowsSingle: Bool = false, allowsEmpty: Bool = false
  ) -> [(text: String, at: TOMLPosition)]? {
    guard let entry = entry(key) else { return nil }
    if allowsSingle, case .string(let text) = entry.value.content {
      return checked(text, of: entry).map { [($0, entry.value.position)] }
    }
    guard case .array(let values) = entry.value.content else {
      reportKind(entry, expected, example: example)
      return nil
    }
    if values.isEmpty, !allowsEmpty {
      findings.report(
        entry.position, "\"\(key)\" \(place) is empty; for example \(key) = \(example)")
      return nil
    }
    var result: [(text: String, at: TOMLPosition)] = []
    for value in values {
      guard case .string(let text) = value.content else {
        findings.report(
          value.position,
          "\"\(key)\" \(place) has to be \(expected), but one element is \(value.kind);"
            + " for example \(key) = \(example)")
        return nil
      }
      guard let text = checked(text, of: entry) else { return nil }
      result.append((text, value.position))
    }
    return result
  }

  /// One of a few words.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - type: The words.
  /// - Returns: The choice and where it stands; nil when it is absent or wrong.
  mutating func choice<Choice: CaseIterable & RawRepresentable<String>>(
    _ key: String, _ type: Choice.Type
  ) -> (value: Choice, at: TOMLPosition)? {
    let words = Choice.allCases.map(\.rawValue)
    guard let text = string(key, example: words.first ?? "") else { return nil }
    if let choice = Choice(rawValue: text.text) { return (choice, text.at) }
    let quoted = words.map { "\"\($0)\"" }
    let expected =
      quoted.dropLast().joined(separator: ", ") + " or " + (quoted.last ?? "")
    let meant = NearestName.of(text.text, in: words).map { "; did you mean \"\($0)\"?" } ?? ""
    findings.report(
      text.at,
      "\"\(key)\" \(place) is \(PrintableText.quoted(text.text)) and has to be \(expected)"
        + meant)
    return nil
  }

  /// True or false.
  ///
  /// - Parameter key: The key.
  /// - Returns: The value; nil when it is absent or wrong.
  mutating func boolean(_ key: String) -> (value: Bool, at: TOMLPosition)? {
    guard let entry = entry(key) else { return nil }
    guard case .boolean(let value) = entry.value.content else {
      reportKind(entry, "true or false", example: "true")
      return nil
    }
    return (value, entry.position)
  }

  /// A duration, written as a string.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - example: What an error shows as an example, without quotes.
  ///   - least: The shortest duration that makes sense.
  /// - Returns: The duration; nil when it is absent or wrong.
  mutating func duration(_ key: String, example: String, least: Duration) -> Duration? {
    guard let entry = entry(key) else { return nil }
    guard case .string(let text) = entry.value.content else {
      reportKind(entry, "a duration in quotes", example: "\"\(example)\"")
      return nil
    }
    do {
      let duration = try DurationText.parse(text)
      if duration >= least { return duration }
      findings.report(
        entry.position,
        "\"\(key)\" \(place) is \(text); it has to be \(DurationText.format(least)) at least")
    } catch {
      findings.report(entry.position, "\"\(key)\" \(place): \(error)")
    }
    return nil
  }

  /// A table inside this one.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - example: The example of an error.
  /// - Returns: Its entry and what it holds; nil when it is absent or wrong.
  mutating func table(
    _ key: String, example: String
  ) -> (entry: TOMLEntry, members: [TOMLEntry])? {
    guard let entry = entry(key) else { return nil }
    guard case .table(let members) = entry.value.content else {
      reportKind(entry, "a table", example: example)
      return nil
    }
    return (entry, members)
  }

  /// Reports that a key has to be there.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - example: What to add behind the equals sign.
  func reportMissing(_ key: String, example: String) {
    findings.report(position, "\"\(key)\" is missing \(place); add \(key) = \(example)")
  }

  /// Reports each key that was never asked for.
  ///
  /// - Parameter advice: What to do about a key, where it is known better than by its spelling.
  func reportUnknownKeys(_ advice: (TOMLEntry) -> String? = { _ in nil }) {
    for entry in entries where !known.contains(where: { $0.utf8.elementsEqual(entry.key.utf8) }) {
      let mend =
        if let meant = NearestName.of(entry.key, in: known) {
          "did you mean \"\(meant)\"?"
        } else {
          advice(entry) ?? "the keys that can stand there are \(keyList)"
        }
      findings.report(
        entry.position, "unknown key \(PrintableText.quoted(entry.key)) \(place); \(mend)")
    }
  }

  private var keyList: String {
    var seen: Set<String> = []
    return known.filter { seen.insert($0).inserted }.joined(separator: ", ")
  }

  private func checked(_ text: String, of entry: TOMLEntry) -> String? {
    if text.isEmpty {
      findings.report(
        entry.position, "\"\(entry.key)\" \(place) is an empty string; fill it in or remove it")
      return nil
    }
    guard text.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      findings.report(
        entry.position, "\"\(entry.key)\" \(place) holds a control character; remove it")
      return nil
    }
    return text
  }

  private func reportKind(_ entry: TOMLEntry, _ expected: String, example: String) {
    findings.report(
      entry.position,
      "\"\(entry.key)\" \(place) has to be \(expected), not \(entry.value.kind);"
        + " for example \(entry.key) = \(example)")
  }
}
