package import CommandRuntime
package import StrictJSON

/// The states and the scenarios that there are.
package struct SimulationCatalogue: Sendable {
  private let scenarios: [(name: String, title: String)]

  /// Reads the titles of a library's scenarios.
  package init(_ library: ScenarioLibrary) {
    scenarios = library.names.map { name in
      (name, (try? library.scenario(name).1.title) ?? "cannot be read")
    }
  }

  /// One line each.
  ///
  /// - Parameter terminal: what the text goes to.
  /// - Returns: the text with its last line end.
  package func text(on terminal: Terminal) -> String {
    let layout = TextLayout(width: terminal.width)
    var text = terminal.styled("States", .bold) + ", for `set` and in scenarios:\n"
    text += layout.columns(StateWord.all.map { ($0.summary, $0.meaning) })
    text += "\n" + terminal.styled("Scenarios", .bold) + ", for `run` and `show`:\n"
    guard !scenarios.isEmpty else { return text + "  none is installed\n" }
    return text + layout.columns(scenarios.map { ($0.name, $0.title) })
  }

  /// One object, `{"states":[{"state","synopsis","meaning"}],"scenarios":[{"scenario","title"}]}`.
  package var json: JSONObject {
    [
      "states": .array(
        StateWord.all.map { word in
          .object([
            "state": .string(word.name), "synopsis": .string(word.synopsis),
            "meaning": .string(word.meaning),
          ])
        }),
      "scenarios": .array(
        scenarios.map { .object(["scenario": .string($0.name), "title": .string($0.title)]) }),
    ]
  }
}
