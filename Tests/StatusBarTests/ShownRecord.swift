import StatusBar
import StrictJSON

/// A record as its bar would understand it, read by a parser that knows no mercy.
struct ShownRecord: Equatable {
  /// What is wrong with a record.
  struct Malformed: Error {
    let why: String

    init(_ why: String) { self.why = why }
  }

  /// The text, without the signs without width that keep things apart.
  var text: String
  /// The tooltip's or the menu's lines.
  var lines: [String] = []
  /// The colour.
  var color: String?
  /// The command lines behind clicks, by button or in the menu's order.
  var commands: [String] = []

  /// Reads a record of a format.
  ///
  /// - Throws: `Malformed` when anything is in it that the format does not have here.
  static func of(_ record: String, _ format: BarFormat) throws -> ShownRecord {
    guard record.utf8.last == 0x0A else { throw Malformed("no line end") }
    let body = String(decoding: record.utf8.dropLast(), as: UTF8.self)
    var shown: ShownRecord =
      switch format {
      case .waybar: try waybar(body)
      case .i3bar, .swaybar: try i3bar(body)
      case .i3blocks: try i3blocks(body)
      case .i3blocksRaw: try rawBlock(body)
      case .polybar, .lemonbar: try TagParser.shown(body, doubles: format == .lemonbar)
      case .genmon: try genmon(body)
      case .tint2: try PangoParser.shown(oneLine(body))
      case .conky: try DollarParser.shown(oneLine(body))
      case .tmux: try HashParser.shown(oneLine(body))
      case .eww: try eww(body)
      case .argos: try ArgosParser.shown(body)
      case .plain: ShownRecord(text: try oneLine(body))
      }
    shown.text = withoutMarks(shown.text)
    shown.lines = shown.lines.map(withoutMarks)
    return shown
  }

  /// The text without the isolates and the spaces without width that were put in.
  static func withoutMarks(_ text: String) -> String {
    let marks: [Unicode.Scalar] = ["\u{200B}", "\u{2068}", "\u{2069}"]
    return String(String.UnicodeScalarView(text.unicodeScalars.filter { !marks.contains($0) }))
  }

  /// The text as a format can show it: i3blocks cannot be given a quote or a backslash.
  static func fit(_ text: String, _ format: BarFormat) -> String {
    guard format == .i3blocks else { return text }
    let others: [Unicode.Scalar: Unicode.Scalar] = ["\"": "\u{201D}", "\\": "\u{2216}"]
    return String(String.UnicodeScalarView(text.unicodeScalars.map { others[$0] ?? $0 }))
  }

  /// The text, which has to be one line.
  static func oneLine(_ text: String) throws -> String {
    guard !text.utf8.contains(where: { $0 < 0x20 || $0 == 0x7F }) else {
      throw Malformed("a control character in a line")
    }
    return text
  }

  private static func object(_ line: String) throws -> JSONObject {
    guard try oneLine(line).utf8.allSatisfy({ $0 < 0x80 }) else { throw Malformed("not ASCII") }
    guard let object = try JSONValue(parsing: Array(line.utf8)).object else {
      throw Malformed("no object")
    }
    return object
  }

  private static func text(_ object: JSONObject, _ name: String) throws -> String {
    guard let text = object[name]?.string else { throw Malformed("\(name) is no text") }
    return text
  }

  private static func require(_ object: JSONObject, _ names: [String]) throws {
    guard object.members.map(\.name) == names else {
      throw Malformed("members \(object.members.map(\.name))")
    }
  }

  private static func waybar(_ line: String) throws -> ShownRecord {
    let object = try object(line)
    try require(object, ["text", "alt", "tooltip", "class", "percentage"])
    guard let number = object["percentage"]?.integer, (0...100).contains(number),
      let classes = object["class"]?.array?.compactMap(\.string), classes.count == 2,
      BarCondition(rawValue: classes[0]) != nil, BarSeverity(rawValue: classes[1]) != nil,
      try text(object, "alt") == classes[0]
    else { throw Malformed("class or percentage") }
    var shown = try PangoParser.shown(oneLine(text(object, "text")))
    shown.lines = try text(object, "tooltip").split(separator: "\n").map {
      try PangoParser.text(oneLine(String($0)))
    }
    return shown
  }

  private static func i3bar(_ line: String) throws -> ShownRecord {
    guard line.hasPrefix("["), line.hasSuffix("],") else { throw Malformed("no array") }
    let block = try object(String(line.dropFirst().dropLast(2)))
    guard try text(block, "name") == "tokenvault" else { throw Malformed("no name") }
    return try self.block(block, extra: ["name", "instance"])
  }

  private static func block(_ object: JSONObject, extra: [String]) throws -> ShownRecord {
    let color = object["color"]?.string
    try require(
      object,
      extra + ["full_text", "short_text"] + (color == nil ? [] : ["color"]) + ["urgent", "markup"])
    guard object["markup"]?.string == "none", object["urgent"]?.bool != nil else {
      throw Malformed("markup or urgent")
    }
    _ = try oneLine(text(object, "short_text"))
    return ShownRecord(text: try oneLine(text(object, "full_text")), color: color)
  }

  // i3blocks 1.4 takes no escape out of a string, and ends it at the first quote.
  private static func i3blocks(_ line: String) throws -> ShownRecord {
    guard try !oneLine(line).utf8.contains(0x5C) else { throw Malformed("an escape") }
    guard let object = try JSONValue(parsing: Array(line.utf8)).object else {
      throw Malformed("no object")
    }
    return try block(object, extra: [])
  }

  private static func rawBlock(_ body: String) throws -> ShownRecord {
    let lines = try body.split(separator: "\n", omittingEmptySubsequences: false).map {
      try oneLine(String($0))
    }
    guard lines.count == 2 || lines.count == 3 else { throw Malformed("\(lines.count) lines") }
    return ShownRecord(text: lines[0], color: lines.count == 3 ? lines[2] : nil)
  }

  private static func eww(_ line: String) throws -> ShownRecord {
    let object = try object(line)
    try require(
      object, ["text", "tooltip", "state", "severity", "icon", "remaining", "percentage"])
    var text = ""
    var rest = try oneLine(self.text(object, "text"))[...]
    while let character = rest.popFirst() {
      if character == "\\", rest.popFirst() != "\\" { throw Malformed("an escape") }
      text.append(character)
    }
    return ShownRecord(
      text: text, lines: try self.text(object, "tooltip").split(separator: "\n").map(String.init))
  }

  // As strstr(3) finds the elements, one behind the other and nothing else.
  private static func genmon(_ body: String) throws -> ShownRecord {
    var rest = body[...]
    func element(_ name: String) throws -> String {
      let (start, end) = ("<\(name)>", "</\(name)>")
      guard rest.hasPrefix(start) else { throw Malformed("no \(name)") }
      rest = rest.dropFirst(start.count)
      var content = ""
      while !rest.hasPrefix(end) {
        guard let character = rest.popFirst() else { throw Malformed("\(name) is open") }
        content.append(character)
      }
      rest = rest.dropFirst(end.count)
      if rest.first == "\n" { rest.removeFirst() }
      return content
    }
    var shown = try PangoParser.shown(oneLine(element("txt")))
    shown.lines = try element("tool").split(separator: "\n").map {
      try PangoParser.text(oneLine(String($0)))
    }
    if !rest.isEmpty { shown.commands = [try oneLine(element("txtclick"))] }
    guard rest.isEmpty else { throw Malformed("more behind it") }
    return shown
  }
}
