/// Pango's markup as far as records use it: one span with a colour, and entities.
enum PangoParser {
  /// Reads text that may stand in one span.
  static func shown(_ text: String) throws -> ShownRecord {
    let (start, middle, end) = ("<span foreground=\"", "\">", "</span>")
    guard text.hasPrefix(start) else { return ShownRecord(text: try self.text(text)) }
    let rest = text.dropFirst(start.count)
    let color = rest.prefix(7)
    guard rest.dropFirst(7).hasPrefix(middle), rest.hasSuffix(end) else {
      throw ShownRecord.Malformed("a span")
    }
    return ShownRecord(
      text: try self.text(String(rest.dropFirst(7 + middle.count).dropLast(end.count))),
      color: String(color))
  }

  /// Reads text without an element in it.
  static func text(
    _ text: String,
    entities: [String: String] = ["amp": "&", "lt": "<", "gt": ">", "#39": "'", "quot": "\""]
  ) throws -> String {
    var result = ""
    var rest = text.unicodeScalars[...]
    while let scalar = rest.popFirst() {
      switch scalar {
      case "&":
        let name = String(String.UnicodeScalarView(rest.prefix { $0 != ";" }))
        guard let value = entities[name] else { throw ShownRecord.Malformed("&\(name)") }
        rest = rest.dropFirst(name.unicodeScalars.count + 1)
        result += value
      case "<", ">": throw ShownRecord.Malformed("an element")
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// The formatting tags of polybar and lemonbar.
enum TagParser {
  /// Reads a line, in which lemonbar doubles a percent sign.
  static func shown(_ line: String, doubles: Bool) throws -> ShownRecord {
    var shown = ShownRecord(text: "")
    var open = 0
    var isColored = false
    var rest = try ShownRecord.oneLine(line).unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        shown.text.unicodeScalars.append(scalar)
        continue
      }
      if rest.first == "{" {
        let tag = String(String.UnicodeScalarView(rest.dropFirst().prefix { $0 != "}" }))
        rest = rest.dropFirst(tag.unicodeScalars.count + 2)
        if tag == "A" {
          open -= 1
        } else if tag == "F-", isColored {
          isColored = false
        } else if tag.hasPrefix("F#"), tag.utf8.count == 8, !isColored {
          (isColored, shown.color) = (true, String(tag.dropFirst()))
        } else if tag.hasPrefix("A\(open + 1):"), tag.hasSuffix(":"), shown.text.isEmpty {
          open += 1
          shown.commands.append(String(tag.dropFirst(3).dropLast()))
        } else {
          throw ShownRecord.Malformed("the tag \(tag)")
        }
        continue
      }
      if doubles {
        guard rest.popFirst() == "%" else { throw ShownRecord.Malformed("a lone percent sign") }
        // A build that knows no doubled one must not find a tag either.
        guard rest.first != "{" else { throw ShownRecord.Malformed("a tag for old builds") }
      }
      shown.text.append("%")
    }
    guard open == 0, !isColored else { throw ShownRecord.Malformed("an open tag") }
    return shown
  }
}

/// conky's variables, doubled dollars and escaped comments.
enum DollarParser {
  /// Reads a line.
  static func shown(_ line: String) throws -> ShownRecord {
    var shown = ShownRecord(text: "")
    var rest = line.unicodeScalars[...]
    let start = "${color #"
    if line.hasPrefix(start) {
      shown.color = String(line.dropFirst(start.count - 1).prefix(7))
      rest = rest.dropFirst(start.count + 6)
      guard rest.popFirst() == "}", line.hasSuffix("${color}") else {
        throw ShownRecord.Malformed("a colour")
      }
      rest = rest.dropLast("${color}".count)
    }
    while let scalar = rest.popFirst() {
      switch scalar {
      case "$":
        guard rest.popFirst() == "$" else { throw ShownRecord.Malformed("a variable") }
        shown.text.append("$")
      case "\\" where rest.first == "#":
        rest.removeFirst()
        shown.text.append("#")
      case "#": throw ShownRecord.Malformed("a comment")
      default: shown.text.unicodeScalars.append(scalar)
      }
    }
    return shown
  }
}

/// tmux's styles and doubled number signs.
enum HashParser {
  /// Reads a line.
  static func shown(_ line: String) throws -> ShownRecord {
    var shown = ShownRecord(text: "")
    var rest = line.unicodeScalars[...]
    let (start, end) = ("#[fg=#", "#[default]")
    if line.hasPrefix(start) {
      shown.color = String(line.dropFirst(start.count - 1).prefix(7))
      rest = rest.dropFirst(start.count + 6)
      guard rest.popFirst() == "]", line.hasSuffix(end) else {
        throw ShownRecord.Malformed("a style")
      }
      rest = rest.dropLast(end.count)
    }
    while let scalar = rest.popFirst() {
      if scalar == "#" {
        // Two and no more: tmux halves a longer row more than once.
        guard rest.popFirst() == "#", rest.first != "#" else {
          throw ShownRecord.Malformed("a number sign")
        }
      }
      shown.text.unicodeScalars.append(scalar)
    }
    return shown
  }
}

/// Argos' lines: a title, a menu, entries with commands.
enum ArgosParser {
  private static let entities = [
    "amp": "&", "lt": "<", "gt": ">", "#39": "'", "quot": "\"", "#124": "|", "#92": "\\",
    "#58": ":", "#45": "-",
  ]

  /// Reads the output.
  static func shown(_ body: String) throws -> ShownRecord {
    let sections = body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      .split(separator: "---")
    guard sections.count == 2 || sections.count == 3, sections[0].count == 1 else {
      throw ShownRecord.Malformed("\(sections.count) sections")
    }
    let title = try line(sections[0].first ?? "")
    var shown = ShownRecord(text: title.text)
    shown.lines = try sections[1].map { try line($0).text }
    if let color = title.attributes.first, color.hasPrefix("color=#") {
      shown.color = String(color.dropFirst(6))
    }
    for entry in sections.dropFirst(2).joined() {
      let parts = entry.split(separator: "\"", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0].hasSuffix(" | bash="), parts[2] == " terminal=false" else {
        throw ShownRecord.Malformed("the entry \(entry)")
      }
      shown.commands.append(String(parts[1]))
    }
    return shown
  }

  private static func line(_ line: String) throws -> (text: String, attributes: [String]) {
    let line = try ShownRecord.oneLine(line)
    guard let bar = line.firstIndex(of: "|"), line[..<bar].hasSuffix(" "),
      !line.hasPrefix("-")
    else { throw ShownRecord.Malformed("the line \(line)") }
    let written = String(line[..<bar].dropLast())
    guard !written.contains(where: { ":\\".contains($0) }) else {
      throw ShownRecord.Malformed("a colon or a backslash")
    }
    var attributes = line[bar...].dropFirst().split(separator: " ").map(String.init)
    guard attributes.suffix(2) == ["emojize=false", "unescape=false"] else {
      throw ShownRecord.Malformed("the attributes \(attributes)")
    }
    attributes.removeLast(2)
    guard attributes.count <= 1, attributes.allSatisfy({ $0.hasPrefix("color=#") }) else {
      throw ShownRecord.Malformed("the attributes \(attributes)")
    }
    return (try PangoParser.text(written, entities: entities), attributes)
  }
}
