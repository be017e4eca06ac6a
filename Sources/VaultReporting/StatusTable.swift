package import CommandRuntime
import HostControl
import SessionModel

/// The states of namespaces as a person reads them: aligned columns, then why and what next.
package struct StatusTable: Sendable {
  private struct Row {
    let cells: [(text: String, style: Terminal.Style?)]
    let notes: [String]
  }

  private let terminal: Terminal
  private let showsGroups: Bool

  /// Makes the writer.
  ///
  /// - Parameters:
  ///   - terminal: what the text goes to.
  ///   - showsGroups: whether access groups are told apart.
  package init(terminal: Terminal, showsGroups: Bool) {
    self.terminal = terminal
    self.showsGroups = showsGroups
  }

  /// Writes the table.
  ///
  /// - Parameter list: the namespaces.
  /// - Returns: the text with its last line end; a sentence where there is nothing to show.
  package func text(_ list: StatusList) -> String {
    let protection = list.protection.map {
      terminal.styled("What is stored is protected " + PrintableText.oneLine($0) + ".", .faint)
        + "\n"
    }
    let end = list.findings.map(line).joined() + (protection ?? "")
    guard !list.statuses.isEmpty else { return list.absence + "\n" + end }
    var heading = ["NAMESPACE", "SESSION", "ENDS", "HOST", "ACCOUNT"]
    if showsGroups { heading.insert("GROUP", at: 1) }
    let rows =
      [Row(cells: heading.map { ($0, .faint) }, notes: [])] + list.statuses.map { row(for: $0) }
    let widths = heading.indices.map { column in
      rows.map { $0.cells[column].text.count }.max() ?? 0
    }
    var text = ""
    for row in rows {
      text += line(row.cells, widths) + "\n"
      for note in row.notes { text += "  " + note + "\n" }
    }
    return text + end
  }

  private func line(_ finding: Finding) -> String {
    let mend = finding.mend.map { "; " + $0 } ?? ""
    return terminal.styled(finding.check, FindingList.style(finding.level)) + ": "
      + PrintableText.oneLine(finding.text + mend)
      + "\n"
  }

  private func line(
    _ cells: [(text: String, style: Terminal.Style?)], _ widths: [Int]
  ) -> String {
    var line = ""
    for (column, cell) in cells.enumerated() {
      let shown = cell.style.map { terminal.styled(cell.text, $0) } ?? cell.text
      let isLast = column == cells.count - 1
      let padding = isLast ? 0 : widths[column] - cell.text.count + 2
      line += shown + String(repeating: " ", count: padding)
    }
    return line
  }

  private func row(for status: NamespaceStatus) -> Row {
    var cells: [(text: String, style: Terminal.Style?)] = [
      (status.namespace.name, .bold),
      (status.session, Self.style(session: status.session)),
      (Self.ending(status.expiresIn), nil),
      (status.host, status.host == "ok" ? .green : .yellow),
      (status.account.map(PrintableText.oneLine) ?? "-", nil),
    ]
    if showsGroups { cells.insert((status.group.name, nil), at: 1) }
    var notes: [String] = []
    if let reason = status.reason { notes.append(PrintableText.oneLine(reason)) }
    if let rest = status.loginEndsIn, rest > .zero {
      notes.append(
        "the login ends \(Self.ending(rest)): tokenvault sign-in \(status.namespace) before")
    }
    if let next = status.nextStep { notes.append("-> " + PrintableText.oneLine(next)) }
    return Row(cells: cells, notes: notes)
  }

  private static func style(session: String) -> Terminal.Style {
    switch session {
    case "valid": .green
    case "expiring", "expiry-unknown": .yellow
    default: .red
    }
  }

  /// When a token ends, from now, in a person's words.
  static func ending(_ expiresIn: Duration?) -> String {
    guard let expiresIn else { return "-" }
    let whole = Duration.seconds(expiresIn.components.seconds)
    let isPast = expiresIn <= .zero
    let text =
      whole == .zero ? "<1s" : DurationText.format(isPast ? .zero - whole : whole, parts: 2)
    return isPast ? "\(text) ago" : "in \(text)"
  }
}
