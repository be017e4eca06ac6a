import SessionModel

// What the output says, and what it goes on saying.
extension TrialJudge {
  // Blank lines between others clear nothing.
  private static let pause = Duration.milliseconds(100)
  // A widget looks at the same clock as the record's reader, and may have been quicker.
  private static let slack = Duration.milliseconds(100)

  /// The line that a person sees at a moment: the last one that is not blank.
  func display(at moment: Duration) -> TrialRecord.Line? {
    record.lines.last { $0.at <= moment && !$0.isBlank }
  }

  /// A token that was shown although it had ended.
  var shownToken: TrialVerdict.Breach? {
    for token in record.tokens {
      guard let end = token.end else { continue }
      // A line may have been on its way, and a display stays until the next line.
      let late = end.at + limits.within
      guard late <= record.judged else { continue }
      let standing = display(at: late).flatMap { $0.text.contains(token.mark) ? $0 : nil }
      let printed = record.lines.first { $0.at > late && $0.text.contains(token.mark) }
      guard let line = standing ?? printed else { continue }
      let moment = max(late, line.at)
      return breach(
        at: moment,
        seen: "the widget \(standing == nil ? "printed" : "still showed") token \(token.number)"
          + " \(real(moment - end.at)) after \(end.cause)",
        expected: "no token that has ended or was withdrawn for longer than \(real(limits.within))",
        next:
          "ask the vault for the token each time that it is needed, and follow its changes, instead"
          + " of keeping what was read first")
    }
    return nil
  }

  /// A time in which nothing was to be seen.
  var blankness: TrialVerdict.Breach? {
    if record.isSilentAtStart { return blank(nil) }
    var cleared: Duration?
    for (index, line) in record.lines.enumerated() {
      if let since = cleared, line.at - since > limits.blank { return blank(since) }
      if !line.isBlank {
        cleared = nil
      } else if cleared == nil, standsAlone(index) {
        cleared = line.at
      }
    }
    guard let since = cleared, record.judged - since > limits.blank else { return nil }
    return blank(since)
  }

  private func standsAlone(_ index: Int) -> Bool {
    let at = record.lines[index].at
    // In the order of time, so that the nearest ones tell of all.
    let former = record.lines[..<index].last { !$0.isBlank }
    let later = record.lines[index...].first { !$0.isBlank }
    return ![former, later].compactMap(\.self).contains { line in
      (line.at > at ? line.at - at : at - line.at) < Self.pause
    }
  }

  private func blank(_ since: Duration?) -> TrialVerdict.Breach {
    let words = since == nil ? "printed nothing after its start" : "showed nothing"
    return breach(
      at: since.map { $0 + limits.blank } ?? .zero,
      seen: "the widget \(words) for more than \(real(limits.blank))",
      expected: "a word for every state, also for those without a token",
      next: "show the state's word or reason where there is nothing else; a widget that prints"
        + " nothing by design is run with --without blank --without visible")
  }

  /// A change that a person has to be told and was not.
  var invisibleChange: TrialVerdict.Breach? {
    let (held, leavesOutFigures) = (heldConditions, countsByItself)
    // What of a line counts as news: all of it, but for figures where these go on by themselves.
    func shape(_ line: TrialRecord.Line) -> String {
      leavesOutFigures ? line.text.filter { !$0.isNumber } : line.text
    }
    for (former, present) in zip(held, held.dropFirst()) where former.condition != present.condition
    {
      let (began, due) = (former.until - Self.slack, present.from + limits.within)
      guard due <= record.judged else { break }
      // What was shown a moment before; a state that lasts may have begun with a glance at another.
      let since = max(former.from, began - limits.within)
      let known = Set(
        record.lines.filter { $0.at >= since && $0.at <= began }.map(shape)
          + [display(at: began)].compactMap(\.self).map(shape))
      let news = record.lines.contains { line in
        line.at > began && line.at <= due && !line.isBlank && !known.contains(shape(line))
      }
      if news { continue }
      let shown = display(at: due).map { quoted(withoutTokens($0)) } ?? "nothing"
      return breach(
        at: due,
        seen:
          "the widget went on showing \(shown) for \(real(limits.within)) after the session"
          + " had become \(present.words)",
        expected: "something else than before within \(real(limits.within)): it was"
          + " \"\(former.condition.rawValue)\" and is \"\(present.condition.rawValue)\" now",
        next:
          "follow updates, VaultMonitor or `tokenvault watch`, and show the state's word or reason;"
          + " for a widget that polls, --within is twice its interval")
    }
    return nil
  }

  /// A condition that stayed for as long as a widget may take to show it.
  private struct HeldCondition {
    let condition: WidgetCondition
    let words: String
    let from: Duration
    var until: Duration
  }

  private var heldConditions: [HeldCondition] {
    var spans: [HeldCondition] = []
    for (index, sight) in record.sights.enumerated() {
      let next = record.sights.dropFirst(index + 1).first?.at ?? record.length
      if let last = spans.last, last.condition == sight.condition {
        spans[spans.count - 1].until = next
      } else {
        spans.append(
          HeldCondition(
            condition: sight.condition, words: sight.words, from: sight.at, until: next))
      }
    }
    return spans.filter { $0.condition != .fading && $0.until - $0.from >= limits.within }
  }

  private func withoutTokens(_ line: TrialRecord.Line) -> TrialRecord.Line {
    guard record.tokens.contains(where: { line.text.contains($0.mark) }) else { return line }
    return TrialRecord.Line(at: line.at, text: "a token")
  }

  /// Whether lines differ in figures alone although nothing has happened, as clocks and countdowns do.
  private var countsByItself: Bool {
    let moments = record.sights.map(\.at)
    return zip(record.lines, record.lines.dropFirst()).contains { former, present in
      former.text != present.text
        && former.text.filter { !$0.isNumber } == present.text.filter { !$0.isNumber }
        && !moments.contains { $0 >= former.at - limits.within && $0 <= present.at }
        && record.tokens.allSatisfy {
          former.text.contains($0.mark) == present.text.contains($0.mark)
        }
    }
  }
}
