import StrictJSON

/// i3bar, swaybar and i3blocks: blocks of the i3bar protocol.
enum I3Record {
  /// The protocol's header and the start of its endless array, with clicks asked for.
  ///
  /// A bar that reads half of it takes the rest for plain text.
  static let header = "{\"version\":1,\"click_events\":true}\n[\n"

  /// One status line with one block.
  static func line(_ content: BarContent) -> String {
    var block: JSONObject = ["name": "tokenvault", "instance": .string(content.namespace)]
    // swaybar tells of no clicks on a block without a name.
    for member in self.block(content).members { block[member.name] = member.value }
    return "[\(block.asciiLine)],\n"
  }

  /// One block as i3blocks reads it, whose configuration names it.
  ///
  /// i3blocks 1.4 takes no escape out of a string, and ends it at the first quote; later ones take
  /// a pair of surrogates for two characters. So each character stands for itself.
  static func blockLine(_ content: BarContent) -> String {
    block(content, text: withoutEscapes).line
  }

  /// The lines of i3blocks' raw format: the text, the short text, and a colour if there is one.
  static func rawLines(_ content: BarContent) -> String {
    ([content.text, content.short] + (content.color.map { [$0.description] } ?? []))
      .map { $0 + "\n" }.joined()
  }

  private static func block(
    _ content: BarContent, text: (String) -> String = { $0 }
  ) -> JSONObject {
    var block: JSONObject = [
      "full_text": .string(text(content.text)),
      "short_text": .string(text(content.short)),
    ]
    if let color = content.color { block["color"] = .string(color.description) }
    block["urgent"] = .bool(content.condition.severity == .critical)
    // Whatever the bar's configuration says: the text is not escaped for Pango.
    block["markup"] = "none"
    return block
  }

  /// The text with look-alikes of the two characters that JSON escapes.
  private static func withoutEscapes(_ text: String) -> String {
    text.replacingScalars { scalar in
      switch scalar {
      case "\"": "\u{201D}"
      case "\\": "\u{2216}"
      default: nil
      }
    }
  }
}

extension JSONValue: ExpressibleByStringLiteral {
  /// A string.
  init(stringLiteral text: String) { self = .string(text) }
}
