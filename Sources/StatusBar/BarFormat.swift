/// A bar whose way of writing things down a record follows.
///
/// The raw value is the word behind `tokenvault watch --format`.
public enum BarFormat: String, Sendable, Hashable, CaseIterable {
  /// waybar, a `custom` module with `"return-type": "json"`.
  case waybar
  /// i3bar, as its `status_command`.
  case i3bar
  /// swaybar, as its `status_command`.
  case swaybar
  /// i3blocks, a block with `format=json` and `interval=persist`.
  case i3blocks
  /// i3blocks, a block whose command is run again and again and prints lines.
  case i3blocksRaw = "i3blocks-raw"
  /// polybar, a `custom/script` module with `tail = true`.
  case polybar
  /// Xfce's generic monitor.
  case genmon
  /// tint2, an executor with `execp_markup = 1`.
  case tint2
  /// conky, by `execpi`.
  case conky
  /// lemonbar, as its standard input.
  case lemonbar
  /// tmux, as `#(...)` in its status line.
  case tmux
  /// eww, by `deflisten`; fit for every other program that reads JSON lines too.
  case eww
  /// Argos of GNOME Shell.
  case argos
  /// Any other bar that shows lines as they are.
  case plain

  /// Whether the bar waits for the end of the program, which therefore writes one record and ends.
  public var isPolled: Bool {
    switch self {
    case .i3blocksRaw, .genmon, .conky, .argos: true
    default: false
    }
  }

  /// Whether the bar tells of clicks on the program's standard input.
  public var tellsClicks: Bool {
    switch self {
    case .i3bar, .swaybar, .i3blocks: true
    default: false
    }
  }

  /// Whether records have command lines in them, which the bar starts at a click.
  package var startsPrograms: Bool {
    switch self {
    case .polybar, .lemonbar, .genmon, .argos: true
    default: false
    }
  }

  /// Whether the bar can lose the last record of a program that ends right behind it.
  public var losesLastRecord: Bool {
    switch self {
    case .polybar, .eww: true
    default: false
    }
  }

  /// Whether text goes through Pango, which lays out text of both directions.
  var isDrawnByPango: Bool {
    switch self {
    case .waybar, .i3bar, .swaybar, .i3blocks, .i3blocksRaw, .genmon, .tint2, .eww, .argos: true
    case .polybar, .conky, .lemonbar, .tmux, .plain: false
    }
  }
}
