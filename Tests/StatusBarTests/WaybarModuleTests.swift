import StatusBar
import StrictJSON
import Testing

/// What waybar makes of the example's module and of a record together (waybar-custom(5)).
@Suite struct WaybarModuleTests {
  /// The module of `--example`, without the comment and the comma behind it.
  private static func module() throws -> JSONObject {
    let actions = try #require(ExampleState.actions)
    let lines = BarExample.text(.waybar, actions).split(separator: "\n")
    let text = "{" + lines.filter { !$0.hasPrefix("//") }.joined().dropLast() + "}"
    let object = try #require(try JSONValue(parsing: Array(text.utf8)).object)
    return try #require(object["custom/tokenvault"]?.object)
  }

  // One of both escapes: without either the label stays blank, with both `&amp;` is read on it.
  @Test(arguments: ["R&D", "<b>x</b>", "&amp;", "a'\"b"])
  func theLabelShowsANameAsItIs(name: String) throws {
    let module = try Self.module()
    let record = BarWriter(.waybar).record(of: ExampleState.valid(account: name))
    let text = try #require(JSONValue(parsing: Array(record.utf8)).object?["text"]?.string)
    let escaped = module["escape"]?.bool == true ? Self.escaped(text) : text
    let label = (module["format"]?.string ?? "{}").replacing("{}", with: escaped)
    // The sign is in it, though the module has neither `format` nor `format-icons`.
    #expect(try PangoParser.shown(label).text == "● \(name) valid 42m")
  }

  @Test func theModuleIsStartedOnceAndAgainAfterAnEnd() throws {
    let module = try Self.module()
    #expect(module["restart-interval"]?.integer == 5)
    #expect(module["return-type"]?.string == "json")
    #expect(module["exec"]?.string?.contains("--once") == false)
    // A module that stays has no use for these, and waybar runs it beside itself for each signal.
    #expect(module["interval"] == nil)
    #expect(module["signal"] == nil)
    #expect(module["exec-on-event"]?.bool == false)
  }

  // As g_markup_escape_text does, which waybar calls.
  private static func escaped(_ text: String) -> String {
    var result = text.replacing("&", with: "&amp;")
    for (sign, entity) in [("<", "&lt;"), (">", "&gt;"), ("'", "&#39;"), ("\"", "&quot;")] {
      result = result.replacing(sign, with: entity)
    }
    return result
  }
}
