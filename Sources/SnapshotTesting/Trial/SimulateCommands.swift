package import CommandRuntime

/// Everything that `tokenvault simulate` understands on its command line.
package enum SimulateCommands {
  /// The directory that is played with.
  package static let directory = CommandOption(
    "in", value: .directory,
    help: "The runtime directory, which stays; without it one is made and removed in the end")
  /// The namespace.
  package static let namespace = CommandOption(
    "namespace", letter: "n", value: .namespace, help: "The namespace, instead of primary")
  /// The access group.
  package static let group = CommandOption(
    "group", letter: "g", value: .text(name: "GROUP"),
    help: "The access group, instead of default")
  /// Whether no host is played.
  package static let once = CommandOption(
    "once", help: "Ends at once; readers then find that no host is running")
  /// Whether the answer is JSON.
  package static let json = CommandOption("json", help: "Writes JSON")
  /// How fast a scenario is played.
  package static let speed = CommandOption(
    "speed", value: .number(name: "N"), help: "Plays N times as fast, 1 to 100; 1 by default")
  /// Until when something new has to show.
  package static let within = CommandOption(
    "within", value: .duration,
    help: "How soon the widget has to show a new condition, in real time; 2s by default")
  /// How long nothing may be shown.
  package static let blank = CommandOption(
    "blank", value: .duration,
    help: "How long the widget may show nothing, in real time; 2s by default")
  /// How much of a processor may be used.
  package static let processor = CommandOption(
    "processor", value: .number(name: "PERCENT"),
    help: "The share of one processor that the widget may use; 25 by default")
  /// What has to be shown besides.
  package static let expect = CommandOption(
    "expect", value: .text(name: "TEXT"), isRepeatable: true,
    help: "What has to be shown, such as '8s..9s text \"offline\"' or '8s..9s no text \"ada\"'")
  /// A rule that does not apply.
  package static let without = CommandOption(
    "without", value: .choice(TrialRule.allCases.map(\.rawValue)), isRepeatable: true,
    help: "A rule that does not apply to this widget; may be given more than once")

  /// The table of the program.
  package static let table = CommandTable(
    program: "tokenvault simulate",
    summary: "Puts snapshots into any state, and shows what a widget makes of it",
    version: CommandTable.projectVersion, commands: [list, set, show, run, .completions],
    closing: [
      "A widget is tried in five minutes:\n  tokenvault simulate list\n"
        + "  tokenvault simulate run offline --speed 5 -- my-widget --its-option",
      "Nothing here touches the sessions of a real host, and no token here is good anywhere.",
    ])

  private static let list = Command(
    "list", summary: "Lists the states and the scenarios", options: [json])
  private static let set = Command(
    "set", summary: "Puts a directory into a state and plays its host until Ctrl-C",
    details: [
      "Prints the variable that a widget needs in its environment. Each line of standard input is"
        + " the next state. Parameters stand behind the state, such as: set valid for 30s"
    ],
    operands: [
      .init("STATE", value: .text(name: "STATE")),
      .init("WORD", value: .text(name: "WORD"), count: .optional),
      .init("VALUE", value: .text(name: "VALUE"), count: .optional),
    ], options: [directory, namespace, group, once])
  private static let show = Command(
    "show", summary: "Prints a scenario, from which one of your own can be made",
    operands: [.init("SCENARIO", value: .text(name: "SCENARIO"))])
  private static let run = Command(
    "run", summary: "Plays a scenario beside a widget and judges what it prints",
    details: [
      "SCENARIO is one of the list, or a file, named with a slash. The widget gets a directory of"
        + " its own in TOKENVAULT_RUNTIME_DIR; it and its children are ended in any case. The"
        + " scenario begins, once more, when the widget has printed its first line.",
      "Rules:\n"
        + TrialRule.allCases.map {
          "  \($0.rawValue)\(String(repeating: " ", count: 9 - $0.rawValue.count))"
            + $0.demand(TrialLimits())
        }.joined(separator: "\n"),
      "Ends with 0 when all rules are kept, with 1 when one is broken, with 126 or 127 when the"
        + " widget cannot be executed or found.",
    ],
    operands: [
      .init("SCENARIO", value: .text(name: "SCENARIO")),
      .init("CMD", value: .command, count: .rest),
    ], options: [speed, json, within, blank, processor, expect, without, namespace, group])
}
