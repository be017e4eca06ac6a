import SessionModel

/// Judges what a run left behind; a rule that cannot be judged counts as kept.
package struct TrialJudge: Sendable {
  let record: TrialRecord
  let limits: TrialLimits
  let speed: Int
  private let expectations: [Scenario.Expectation]

  /// Takes what is to be judged.
  ///
  /// - Parameters:
  ///   - record: what the run left behind.
  ///   - limits: how much is allowed.
  ///   - expectations: what has to be shown besides.
  ///   - speed: how much faster than written the scenario was played.
  package init(
    _ record: TrialRecord, limits: TrialLimits, expectations: [Scenario.Expectation] = [],
    speed: Int = 1
  ) {
    self.record = record
    self.limits = limits
    self.expectations = expectations
    self.speed = speed
  }

  /// What became of each rule that applies.
  package var verdicts: [TrialVerdict] {
    TrialRule.allCases.filter { rule in
      !limits.without.contains(rule) && (rule != .expected || !expectations.isEmpty)
    }.map { TrialVerdict(rule: $0, breach: breach(of: $0)) }
  }

  private func breach(of rule: TrialRule) -> TrialVerdict.Breach? {
    switch rule {
    case .token: shownToken
    case .blank: blankness
    case .visible: invisibleChange
    case .expected: expectations.lazy.compactMap(disappointment).first
    case .busy: busyness
    case .issuer: connection
    case .alive: earlyEnd
    case .ends: lateEnd
    }
  }

  /// Makes a breach at a moment of the run.
  func breach(
    at moment: Duration, seen: String, expected: String, next: String
  ) -> TrialVerdict.Breach {
    TrialVerdict.Breach(
      at: moment * speed, step: record.steps.last { $0.at <= moment }?.step, seen: seen,
      expected: expected, next: next)
  }

  private var busyness: TrialVerdict.Breach? {
    // A short look tells a start from a loop no better than chance does.
    let length = record.judged
    guard length >= .seconds(1) else { return nil }
    let percent = Int(record.processorTime / length * 100)
    guard percent > limits.processor else { return nil }
    return breach(
      at: length,
      seen: "the widget took \(percent)% of one processor, \(brief(record.processorTime)) in"
        + " \(real(length))",
      expected: "at most \(limits.processor)%, as the snapshot changed a few times only",
      next: "wait for changes with updates or VaultMonitor, or with `tokenvault watch`, instead of"
        + " looking in a loop; a poll belongs behind a sleep")
  }

  private var connection: TrialVerdict.Breach? {
    guard let first = record.connections.first else { return nil }
    let count = record.connections.count
    return breach(
      at: first,
      seen: "the issuer's address was connected to\(count > 1 ? " \(count) times" : "")",
      expected: "no request: the host alone talks to the issuer",
      next: "take tokens from the vault, and leave renewing, discovery and userinfo at the issuer"
        + " to the host")
  }

  private var earlyEnd: TrialVerdict.Breach? {
    guard let end = record.earlyEnd else { return nil }
    return breach(
      at: end.at, seen: "the widget \(end.words) while the scenario went on",
      expected: "it goes on through every state, and comes back when the session does",
      next: "catch what the vault throws and show its description; what cannot be read now can be"
        + " read later")
  }

  private var lateEnd: TrialVerdict.Breach? {
    guard record.earlyEnd == nil, record.timeToEnd == nil else { return nil }
    return breach(
      at: record.length,
      seen: "the widget was still there \(real(limits.ending)) after SIGTERM"
        + " and had to be killed",
      expected: "it ends by itself, as a bar or a service manager expects",
      next: "leave SIGTERM its default, or end the loop when it comes; a shell script has to wait"
        + " for its children")
  }

  private func disappointment(_ expectation: Scenario.Expectation) -> TrialVerdict.Breach? {
    let (from, until) = (expectation.from / speed, expectation.until / speed)
    guard until <= record.judged else { return nil }
    let shown =
      [display(at: from)].compactMap(\.self)
      + record.lines.filter { $0.at > from && $0.at <= until }
    let found = shown.first { $0.text.lowercased().contains(expectation.text.lowercased()) }
    guard (found != nil) == expectation.isForbidden else { return nil }
    let span = "\(brief(expectation.from)) to \(brief(expectation.until))"
    return breach(
      at: found?.at ?? until,
      seen: found.map { "from \(span) it showed \(quoted($0))" }
        ?? "from \(span) it showed \(shown.last.map(quoted) ?? "nothing")",
      expected: "\(expectation.isForbidden ? "no text" : "the text")"
        + " \(PrintableText.quoted(expectation.text))",
      next: expectation.line.map { "see line \($0) of the scenario, which asks for it" }
        ?? "see the option --expect, which asks for it")
  }

  /// A time that is not the scenario's, as a sentence has it.
  func real(_ duration: Duration) -> String {
    brief(duration) + (speed > 1 ? " of real time" : "")
  }

  /// A line as a sentence quotes it.
  func quoted(_ line: TrialRecord.Line) -> String {
    let text = line.text.count > 60 ? line.text.prefix(60) + "…" : line.text[...]
    return PrintableText.quoted(String(text))
  }
}

/// A duration of a run for people: whole seconds, tenths below ten, milliseconds below one.
func brief(_ duration: Duration) -> String {
  if duration < .seconds(1) { return DurationText.format(duration) }
  let (seconds, attoseconds) = duration.components
  let tenth = attoseconds / 100_000_000_000_000_000
  return seconds < 10 && tenth > 0 ? "\(seconds).\(tenth)s" : DurationText.format(.seconds(seconds))
}
