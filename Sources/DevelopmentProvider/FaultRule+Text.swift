internal import LoopbackHTTP
internal import SessionModel

/// Why the text of a fault or an outage was not understood.
package struct FaultTextError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong and what would be right.
  package let description: String

  init(description: String) { self.description = PrintableText.oneLine(description) }
}

extension FaultRule {
  /// Reads `ENDPOINT:WHEN:WHAT`, for example `token:3-6:503,retry-after=5`.
  ///
  /// - Parameter text: `ENDPOINT` is a name or `*`. `WHEN` is `3`, `3-6`, `3-` or `*`. `WHAT` is a
  ///   list with commas of a status code, `drop`, `lose`, `delay=2s`, `retry-after=N`, `html`.
  /// - Throws: `FaultTextError`.
  package init(text: String) throws(FaultTextError) {
    let parts = text.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else {
      throw FaultTextError(
        description: "fault \"\(text)\" is not ENDPOINT:WHEN:WHAT, such as token:3-6:503")
    }
    self.init(
      try Self.endpoint(parts[0]), try Self.occasion(parts[1]), try Self.effect(parts[2]))
  }

  /// Reads `AT:FOR[:EVERY]`, for example `20s:10s:60s`: every connection is dropped then.
  ///
  /// - Parameter text: Three durations, counted from the start.
  /// - Throws: `FaultTextError`.
  package init(outage text: String) throws(FaultTextError) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let times = parts.compactMap(Self.duration)
    guard (2...3).contains(parts.count), times.count == parts.count else {
      throw FaultTextError(
        description: "outage \"\(text)\" is not AT:FOR or AT:FOR:EVERY, such as 20s:10s:60s")
    }
    let period = times.count == 3 ? times[2] : nil
    if let period, period <= times[1] {
      throw FaultTextError(description: "outage \"\(text)\" lasts as long as its period")
    }
    self.init(nil, .time(from: times[0], lasting: times[1], every: period), .drop)
  }

  private static func endpoint(_ text: Substring) throws(FaultTextError) -> ProviderEndpoint? {
    if text == "*" { return nil }
    guard let endpoint = ProviderEndpoint(rawValue: String(text)) else {
      let known = ProviderEndpoint.allCases.map(\.rawValue).joined(separator: ", ")
      throw FaultTextError(description: "there is no endpoint \"\(text)\": use \(known) or *")
    }
    return endpoint
  }

  private static func occasion(_ text: Substring) throws(FaultTextError) -> Occasion {
    if text == "*" { return .always }
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
    if let first = Int(ends[0]), first > 0 {
      if ends.count == 1 { return .requests(first...first) }
      if ends[1].isEmpty { return .requests(first...Int.max) }
      if let last = Int(ends[1]), last >= first { return .requests(first...last) }
    }
    throw FaultTextError(
      description: "\"\(text)\" says no request: use a number, a range such as 3-6 or 3-, or *")
  }

  private static func effect(_ text: Substring) throws(FaultTextError) -> FaultEffect {
    var effect = FaultEffect()
    for word in text.split(separator: ",", omittingEmptySubsequences: false) {
      let sides = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if sides.count == 2, sides[0] == "delay", let delay = duration(sides[1]) {
        effect.delay = delay
      } else if sides.count == 2, sides[0] == "retry-after", !sides[1].isEmpty {
        effect.headers.append(.init(name: "Retry-After", value: String(sides[1])))
      } else if word == "drop" {
        effect.drops = true
      } else if word == "lose" {
        effect.losesAnswer = true
      } else if word == "html" {
        effect.headers.append(.init(name: "Content-Type", value: "text/html"))
        effect.body = Array("<html><body>Something went wrong.</body></html>\n".utf8)
      } else if let status = Int(word), (200...599).contains(status) {
        effect.status = status
      } else {
        throw FaultTextError(
          description: "\"\(word)\" is no fault: use a status code, drop, lose, delay=2s,"
            + " retry-after=N or html, joined by commas")
      }
    }
    return effect
  }

  private static func duration(_ text: Substring) -> Duration? {
    try? DurationText.parse(String(text))
  }
}
