import CommandRuntime
import FileSupport
import Glibc
import SessionModel
import StatusBar
import VaultReader
import VaultReporting

extension VaultCommand {
  /// `watch --format BAR`: shows a namespace in a bar.
  ///
  /// - Throws: `CommandFailure` for a wrong command line; nothing that happens later is a failure.
  func watch(in format: BarFormat) throws(CommandFailure) {
    let namespace = try optionNamespace()
    let vault = try vault()
    let program = Self.programPath()
    let actions = BarActions(
      program: program, namespace: namespace, accessGroup: vault.accessGroup)
    if invocation.has(VaultCommands.example) {
      guard let actions else { throw CommandFailure(Self.refusal(of: program), .usage) }
      let text = BarExample.text(format, actions, options: try exampleOptions())
      return CommandOutput.vault.write(text)
    }
    if actions == nil, format.startsPrograms {
      Log.standardError(program: "tokenvault", environment: .process)
        .warning("clicks do nothing: \(Self.refusal(of: program))")
    }
    let isOnce = invocation.has(VaultCommands.once) || format.isPolled
    var reader = BarReader(
      BarWriter(format, style: try barStyle(), actions: actions), vault: vault,
      namespace: namespace, program: program, hooks: try changeHooks(isOnce: isOnce))
    guard isOnce else { return reader.show() }
    // i3blocks runs the command again for a click, and says so in its environment.
    if format == .i3blocksRaw, let button = Environment.process(["BLOCK_BUTTON"])["BLOCK_BUTTON"],
      let click = BarClick(button.utf8)
    {
      reader.act(on: click)
    }
    reader.showOnce(lingers: format.losesLastRecord)
  }

  /// Why a bar cannot start a program, and what mends it.
  private static func refusal(of program: String) -> String {
    "a bar cannot be told to start this program at \(PrintableText.quoted(program)): its path may"
      + " hold letters, digits, and / . _ + - @ , = only, 200 at most; make a symbolic link to it at"
      + " such a path, and start that one by its whole path"
  }

  /// The options of this command line that an example has as well.
  ///
  /// - Throws: `CommandFailure` for one that each bar wants quoted in its own way.
  private func exampleOptions() throws(CommandFailure) -> [String] {
    let quoted = [
      VaultCommands.template, VaultCommands.icon, VaultCommands.color, VaultCommands.exec,
      VaultCommands.signal,
    ]
    if let option = quoted.first(where: invocation.has) {
      throw usage(
        "the option \"--\(option.name)\" needs quotes that differ from bar to bar: print the"
          + " example without it, and add it to the command there")
    }
    // A wrong value is an error here too, and not in the bar only.
    _ = try barStyle()
    var options: [String] = []
    if let icons = invocation.text(VaultCommands.icons) { options += ["--icons", icons] }
    if let length = invocation.number(VaultCommands.length) {
      options += ["--length", "\(length)"]
    }
    if invocation.has(VaultCommands.noColor) { options.append("--no-color") }
    if invocation.has(VaultCommands.seconds) { options.append("--seconds") }
    return options
  }

  /// Refuses the options of bars where there is none.
  ///
  /// - Throws: `CommandFailure`.
  func requireNoBarOption() throws(CommandFailure) {
    guard let option = VaultCommands.barOptions.first(where: invocation.has) else { return }
    throw usage("the option \"--\(option.name)\" is for the format of a bar")
  }

  /// What else is told of a change.
  ///
  /// - Parameter isOnce: whether the program ends before there can be one.
  /// - Returns: the hooks of the command line.
  /// - Throws: `CommandFailure`.
  func changeHooks(isOnce: Bool) throws(CommandFailure) -> ChangeHooks {
    let command = invocation.text(VaultCommands.exec)
    let texts = invocation.texts(VaultCommands.signal)
    guard !isOnce || (command == nil && texts.isEmpty) else {
      throw usage("a command or a signal has nothing to tell where one line is written only")
    }
    var targets: [SignalTarget] = []
    for text in texts {
      guard let target = SignalTarget(text) else {
        throw usage(
          "the option \"--signal\" takes a process and a signal, such as waybar:RTMIN+8 or"
            + " 1234:USR1, not \(PrintableText.quoted(text))")
      }
      targets.append(target)
    }
    return ChangeHooks(command: command, targets: targets)
  }

  private func barStyle() throws(CommandFailure) -> BarStyle {
    var style = BarStyle(showsSeconds: invocation.has(VaultCommands.seconds))
    if let template = invocation.text(VaultCommands.template) {
      do {
        style.template = try BarTemplate(template)
      } catch {
        throw usage("the option \"--template\": \(error)")
      }
    }
    if let name = invocation.text(VaultCommands.icons),
      let icons = BarIcons.named.first(where: { $0.name == name })?.icons
    {
      style.icons = icons
    }
    if invocation.has(VaultCommands.noColor) { style.colors = .none }
    if let length = invocation.number(VaultCommands.length) {
      guard (1...BarStyle.greatestLength).contains(length) else {
        throw usage("the option \"--length\" takes 1 to \(BarStyle.greatestLength)")
      }
      style.length = length
    }
    for (name, sign) in invocation.assignments(VaultCommands.icon) {
      guard let condition = BarCondition(rawValue: name) else {
        throw unknownState(name, of: "--icon", in: BarCondition.allCases.map(\.rawValue))
      }
      style.icons[condition] = sign
    }
    for (name, text) in invocation.assignments(VaultCommands.color) {
      guard let color = BarColor(text) else {
        throw usage(
          "the option \"--color\" takes a colour like #e5a50a, not \(PrintableText.quoted(text))")
      }
      if let condition = BarCondition(rawValue: name) {
        style.colors[condition] = color
      } else if let severity = BarSeverity(rawValue: name) {
        style.colors[severity] = color
      } else {
        throw unknownState(
          name, of: "--color",
          in: BarCondition.allCases.map(\.rawValue) + BarSeverity.allCases.map(\.rawValue))
      }
    }
    return style
  }

  private func unknownState(
    _ name: String, of option: String, in names: [String]
  ) -> CommandFailure {
    usage(
      "the option \"\(option)\" knows no state \(PrintableText.quoted(name))",
      meant: NearestName.of(name, in: names))
  }
}
