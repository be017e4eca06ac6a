/// Writes help from a command table, wrapped to the width of the terminal.
package struct HelpText: Sendable {
  private let table: CommandTable
  private let layout: TextLayout

  /// Makes the writer.
  ///
  /// - Parameters:
  ///   - table: The program's commands.
  ///   - width: The columns that a line may use.
  package init(_ table: CommandTable, width: Int = 80) {
    self.table = table
    layout = TextLayout(width: width)
  }

  /// The program's own help: what it is, its commands and the options without a command.
  package var overview: String {
    var usage: [String] = []
    if let base = table.base { usage.append(usageLine(of: base)) }
    if !table.commands.isEmpty { usage.append("\(table.program) COMMAND [OPTION]...") }
    var text = layout.usage(usage) + "\n" + layout.paragraph(table.summary + ".")
    for detail in table.base?.details ?? [] { text += "\n" + layout.paragraph(detail) }
    if !table.commands.isEmpty {
      text += "\nCommands:\n" + layout.columns(table.commands.map { ($0.name, $0.summary) })
    }
    let options = (table.base?.options ?? []) + [.help, .version]
    text += "\nOptions:\n" + layout.columns(options.map { ($0.synopsis, $0.help) })
    if !table.commands.isEmpty {
      text +=
        "\n"
        + layout.paragraph("\"\(table.program) COMMAND --help\" shows the options of a command.")
    }
    for paragraph in table.closing { text += "\n" + layout.paragraph(paragraph) }
    return text
  }

  /// The help of one command.
  ///
  /// - Parameter command: One of the table's commands.
  /// - Returns: Its usage, what it does, its options and whatever else there is to say.
  package func page(of command: Command) -> String {
    var text = layout.usage([usageLine(of: command)])
    text += "\n" + layout.paragraph(command.summary + ".")
    let options = command.options + [.help]
    text += "\nOptions:\n" + layout.columns(options.map { ($0.synopsis, $0.help) })
    for detail in command.details { text += "\n" + layout.paragraph(detail) }
    return text
  }

  private func usageLine(of command: Command) -> String {
    ([table.title(of: command), "[OPTION]..."] + command.operands.map(\.synopsis))
      .joined(separator: " ")
  }
}
