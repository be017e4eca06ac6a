package import CommandRuntime

extension VaultCommands {
  /// The formats of bars, as `StatusBar` knows them.
  package static let barFormats = [
    "waybar", "i3bar", "swaybar", "i3blocks", "i3blocks-raw", "polybar", "genmon", "tint2", "conky",
    "lemonbar", "tmux", "eww", "argos", "plain",
  ]

  /// What a bar's text is made of.
  package static let template = CommandOption(
    "template", value: .text(name: "TEXT"),
    help: "What a bar's text is made of; \"{icon} {account} {state} {remaining}\" by default")
  /// The signs of a bar's states.
  package static let icons = CommandOption(
    "icons", value: .choice(["none", "ascii", "symbols", "emoji", "nerd"]),
    help: "The signs of a bar's states; symbols by default")
  /// The sign of one state.
  package static let icon = CommandOption(
    "icon", value: .assignment(name: "STATE=SIGN"), isRepeatable: true,
    help: "The sign of one state, such as offline=X; may be given more than once")
  /// The colour of one state.
  package static let color = CommandOption(
    "color", value: .assignment(name: "STATE=#RRGGBB"), isRepeatable: true,
    help: "The colour of one state, or of all that are good, idle, warning or critical")
  /// Whether a bar's own colour is kept.
  package static let noColor = CommandOption("no-color", help: "Leaves the colours to the bar")
  /// The most characters of a bar's text.
  package static let length = CommandOption(
    "length", value: .number(name: "N"),
    help: "The most characters of a bar's text; 80 by default, 120 at most")
  /// Whether seconds are shown.
  package static let seconds = CommandOption(
    "seconds", help: "Counts the last minute in seconds, which wakes the program each second")
  /// Whether the lines of configuration are written instead.
  package static let example = CommandOption(
    "example", help: "Prints the lines of configuration for the bar, and shows nothing")
  /// The options that a bar's format takes and no other.
  package static let barOptions = [
    template, icons, icon, color, noColor, length, seconds, example,
  ]

  /// The command that is run at a change.
  package static let exec = CommandOption(
    "exec", value: .text(name: "CMD"),
    help: "Runs a command of the shell at the start and at each change, one at a time")
  /// The processes that are signalled at a change.
  package static let signal = CommandOption(
    "signal", value: .text(name: "PROCESS:SIGNAL"), isRepeatable: true,
    help: "Signals a process, by name or number, at the start and at each change")

  static let watchDetails = [
    "FORMAT is text, json (the object of \"status --json\"), or a bar: "
      + barFormats.dropLast().joined(separator: ", ") + "; plain is the bar's text alone.",
    "In a template, {icon}, {namespace}, {account}, {state}, {session}, {host}, {remaining}, {reason}"
      + " and {next} are filled in. The states are valid, expiring, expired, renewing, offline,"
      + " waiting, storage-failed, locked, stale, signed-out, reauthentication-required, absent and"
      + " error.",
    "A bar that waits for the program's end (i3blocks-raw, genmon, conky, argos) gets one record; any"
      + " other one at each change, and when the remaining time passes a step that is shown. For a"
      + " bar the program ends with 0 whatever happens.",
    "The command of --exec finds TOKENVAULT_SESSION, TOKENVAULT_HOST and others in its environment."
      + " It is killed after 60 s, and ended (SIGTERM, then SIGKILL) when this program ends; what is"
      + " to go on for longer is to leave its process group, as setsid has it do."
      + " --signal takes such as waybar:RTMIN+8, and signals only those of your processes that catch"
      + " it: it never ends one.",
  ]
}
