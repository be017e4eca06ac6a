package import SessionModel

/// What a notification says: which namespaces need a person, why, and what to do.
///
/// Names of accounts come from elsewhere. They are cut, their control characters are shown by number,
/// and for a server that reads markup the whole body is escaped by whoever shows it.
package struct NotificationText: Sendable, Hashable {
  /// One line.
  package let summary: String
  /// A line for each namespace, a few at most, and one on what to do.
  package let body: String

  /// How many namespaces the summary names; of more, the last place says how many they are.
  static let namesInSummary = 3
  /// How many of them the body has a line for.
  static let linesInBody = 4
  /// How many characters of an account's name are shown.
  static let longestAccount = 60

  /// Writes the text.
  ///
  /// - Parameters:
  ///   - matters: what there is to tell of, one at least.
  ///   - now: the time, from which the rest of a login counts.
  package init(_ matters: [Namespace: PersonMatter], now: UnixTime) {
    let sorted = matters.sorted { left, right in
      (right.value.stage, left.key.name) < (left.value.stage, right.key.name)
    }
    let isOver = sorted.contains { $0.value.stage == .ended }
    let names = NotificationText.list(sorted.map(\.key.name))
    summary = isOver ? "Sign in again: \(names)" : "Sign in again soon: \(names)"
    var lines = sorted.prefix(NotificationText.linesInBody).map { namespace, matter in
      let account = matter.account.map { " (\(NotificationText.shown($0)))" } ?? ""
      return "\(namespace)\(account): \(NotificationText.reason(matter, now: now))"
    }
    let rest = sorted.count - lines.count
    if rest > 0 { lines.append("and \(rest) more: tokenvault status") }
    let name = sorted.count == 1 ? sorted.first?.key.name : nil
    lines.append("Run: tokenvault sign-in \(name ?? "NAMESPACE")")
    body = lines.joined(separator: "\n")
  }

  private static func list(_ names: [String]) -> String {
    let shown = names.count > namesInSummary ? namesInSummary - 1 : names.count
    let rest = names.count - shown
    if rest > 0 { return names.prefix(shown).joined(separator: ", ") + " and \(rest) more" }
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }

  private static func shown(_ account: String) -> String {
    let text = account.prefix(longestAccount)
    // A character may be made of any number of scalars.
    let scalars = String(text).unicodeScalars.prefix(longestAccount * 2)
    let isWhole = scalars.count == account.unicodeScalars.count
    return PrintableText.oneLine(String(String.UnicodeScalarView(scalars))) + (isWhole ? "" : "...")
  }

  private static func reason(_ matter: PersonMatter, now: UnixTime) -> String {
    switch matter.kind {
    case .sessionEnded(let reason): return PrintableText.oneLine(reason.description)
    case .loginEnds(let end, let isLearnt):
      // Which stays true for as long as the pop-up stands.
      let rest = DurationText.format(max(.zero - now.since(end), .seconds(60)), parts: 2)
      return isLearnt
        ? "the last logins ended at the age that this one reaches within \(rest)"
        : "the provider ends this login within \(rest), however often it is renewed"
    }
  }
}
