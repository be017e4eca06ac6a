package import CommandRuntime
import SessionModel
package import StrictJSON

/// A run as a person or a program reads it.
package struct TrialReport: Sendable {
  private let terminal: Terminal
  private let trial: WidgetTrial

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - trial: the run.
  ///   - terminal: what the text goes to.
  package init(_ trial: WidgetTrial, on terminal: Terminal) {
    self.trial = trial
    self.terminal = terminal
  }

  /// What stands above the timeline.
  ///
  /// - Parameter name: the scenario's name.
  /// - Returns: the text with its last line end.
  package func heading(_ name: String) -> String {
    let title = trial.scenario.title.isEmpty ? "" : ": " + trial.scenario.title
    let seconds = brief(trial.scenario.length / trial.speed)
    return terminal.styled(PrintableText.oneLine(name + title), .bold) + "\n"
      + terminal.styled(
        "\(DurationText.format(trial.scenario.length)) at speed \(trial.speed) take \(seconds);"
          + " the times below are the scenario's", .faint) + "\n\n"
  }

  /// One line of the timeline.
  package func line(_ event: WidgetTrial.Event) -> String {
    switch event {
    case .step(let taken):
      row(taken.at, terminal.styled("> " + PrintableText.oneLine(taken.step.text), .bold))
    case .sight(let sight):
      row(sight.at, terminal.styled("= " + sight.words, Self.style(sight.condition)))
    case .line(let line):
      row(line.at, (line.isError ? "! " : "| ") + PrintableText.oneLine(line.text))
    }
  }

  private func row(_ at: Duration, _ text: String) -> String {
    let time = brief(at * trial.speed)
    return String(repeating: " ", count: max(0, 8 - time.count)) + time + "  " + text + "\n"
  }

  private static func style(_ condition: WidgetCondition) -> Terminal.Style {
    switch condition {
    case .usable: .green
    case .fading, .nobody: .yellow
    case .ended, .signInAgain, .unreadable: .red
    }
  }

  /// What became of the rules, and a last line that sums them up.
  package func text(_ verdicts: [TrialVerdict]) -> String {
    var text = "\n"
    let width = verdicts.map(\.rule.rawValue.count).max() ?? 0
    for verdict in verdicts {
      let name = verdict.rule.rawValue
      let pad = String(repeating: " ", count: width - name.count)
      guard let breach = verdict.breach else {
        text += terminal.styled("kept   ", .green) + " \(name)\(pad)  "
        text += verdict.rule.demand(trial.limits) + "\n"
        continue
      }
      text += terminal.styled("BROKEN ", .red) + " \(name)\(pad)  \(Self.place(of: breach)): "
      text += PrintableText.oneLine(breach.seen) + "\n"
      let margin = String(repeating: " ", count: width + 10)
      text += margin + "expected: " + PrintableText.oneLine(breach.expected) + "\n"
      text += margin + "-> " + PrintableText.oneLine(breach.next) + "\n"
    }
    let broken = verdicts.count { $0.breach != nil }
    let sum =
      broken == 0
      ? "All rules are kept.\n" : "\(broken) rule\(broken == 1 ? " is" : "s are") broken.\n"
    return text + sum
  }

  private static func place(of breach: TrialVerdict.Breach) -> String {
    guard let step = breach.step else { return "at \(brief(breach.at))" }
    return "at \(brief(breach.at)), after \"\(PrintableText.oneLine(step.text))\""
      + " at \(DurationText.format(step.time))"
  }

  /// One object with the timeline and the verdicts.
  ///
  /// - Parameters:
  ///   - name: the scenario's name.
  ///   - record: what the run left behind.
  ///   - verdicts: what became of the rules.
  /// - Returns: the object.
  package func json(
    _ name: String, _ record: TrialRecord, _ verdicts: [TrialVerdict]
  ) -> JSONObject {
    [
      "scenario": .string(name), "title": .string(trial.scenario.title),
      "speed": .integer(Int64(trial.speed)),
      "command": .array(trial.command.map { .string($0) }),
      "timeline": .array(timeline(record)),
      "rules": .array(verdicts.map { .object(object($0)) }),
      "broken": .integer(Int64(verdicts.count { $0.breach != nil })),
    ]
  }

  private func timeline(_ record: TrialRecord) -> [JSONValue] {
    let steps: [(Duration, JSONObject)] = record.steps.map {
      ($0.at, ["at": seconds($0.at * trial.speed), "step": .string($0.step.text)])
    }
    let sights: [(Duration, JSONObject)] = record.sights.map {
      ($0.at, ["at": seconds($0.at * trial.speed), "state": .string($0.words)])
    }
    let lines: [(Duration, JSONObject)] = record.lines.map {
      (
        $0.at,
        [
          "at": seconds($0.at * trial.speed),
          "stream": .string($0.isError ? "error" : "output"), "text": .string($0.text),
        ]
      )
    }
    return (steps + sights + lines).enumerated().sorted { left, right in
      (left.element.0, left.offset) < (right.element.0, right.offset)
    }.map { .object($0.element.1) }
  }

  private func object(_ verdict: TrialVerdict) -> JSONObject {
    var object: JSONObject = [
      "rule": .string(verdict.rule.rawValue), "kept": .bool(verdict.breach == nil),
    ]
    guard let breach = verdict.breach else { return object }
    object["at"] = seconds(breach.at)
    object["step"] = breach.step.map { .string($0.text) } ?? .null
    object["line"] = breach.step.map { .integer(Int64($0.line)) } ?? .null
    object["seen"] = .string(breach.seen)
    object["expected"] = .string(breach.expected)
    object["next"] = .string(breach.next)
    return object
  }

  /// A time of the scenario, to the millisecond.
  private func seconds(_ at: Duration) -> JSONValue {
    let (seconds, attoseconds) = at.components
    return .real(Double(seconds * 1000 + attoseconds / 1_000_000_000_000_000) / 1000)
  }
}
