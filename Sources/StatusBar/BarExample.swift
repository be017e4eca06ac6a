/// The lines that make a bar show a namespace, with comments that say where they belong.
package enum BarExample {
  /// Writes the lines.
  ///
  /// - Parameters:
  ///   - format: the bar.
  ///   - actions: the program, by its absolute path, and the namespace.
  ///   - options: more options of `watch`, none of which needs a quote in any bar.
  /// - Returns: lines in the syntax of the bar's configuration, each with its end.
  package static func text(
    _ format: BarFormat, _ actions: BarActions, options: [String] = []
  ) -> String {
    let command = actions.watching(format, options: options)
    return lines(format, actions, command).joined(separator: "\n") + "\n"
  }

  /// What a bar whose configuration names the clicks does on each.
  struct Clicks {
    let left: String
    let middle: String
    let right: String

    init(_ actions: BarActions) {
      left = actions.line(for: .status)
      middle = actions.line(for: .renew)
      right = actions.line(for: .signIn)
    }
  }

  private static func lines(
    _ format: BarFormat, _ actions: BarActions, _ command: String
  ) -> [String] {
    let clicks = Clicks(actions)
    return switch format {
    case .waybar: waybar(clicks, command)
    case .i3bar: ["# ~/.config/i3/config, in the block of a bar", "status_command exec \(command)"]
    case .swaybar:
      ["# ~/.config/sway/config, in the block of a bar", "status_command exec \(command)"]
    case .i3blocks:
      ["# ~/.config/i3blocks/config"] + block(command, ["interval=persist", "format=json"])
    case .i3blocksRaw: ["# ~/.config/i3blocks/config"] + block(command, ["interval=30"])
    case .polybar: polybar(command)
    case .genmon: genmon(actions, command)
    case .tint2: tint2(clicks, command)
    case .conky: ["-- ~/.config/conky/conky.conf, in conky.text", "${execpi 30 \(command)}"]
    case .lemonbar:
      ["# The second shell runs what a click prints.", "\(command) | lemonbar -p | sh"]
    case .tmux: tmux(command)
    case .eww: eww(clicks, command)
    case .argos:
      ["#!/bin/sh", "# ~/.config/argos/tokenvault.r.30s.sh, executable", "exec \(command)"]
    case .plain: [command]
    }
  }

  private static func waybar(_ clicks: Clicks, _ command: String) -> [String] {
    [
      "// ~/.config/waybar/config: add \"custom/tokenvault\" to \"modules-right\"; no \"escape\".",
      "\"custom/tokenvault\": {",
      "  \"exec\": \"exec \(command)\", \"return-type\": \"json\", \"restart-interval\": 5,",
      "  \"exec-on-event\": false, \"on-click\": \"\(clicks.left)\",",
      "  \"on-click-middle\": \"\(clicks.middle)\", \"on-click-right\": \"\(clicks.right)\"",
      "},",
    ]
  }

  private static func block(_ command: String, _ lines: [String]) -> [String] {
    ["[tokenvault]", "command=exec \(command)"] + lines
  }

  private static func polybar(_ command: String) -> [String] {
    [
      "; ~/.config/polybar/config.ini: add tokenvault to the modules of a bar",
      "[module/tokenvault]", "type = custom/script", "exec = exec \(command)", "tail = true",
    ]
  }

  // A name without a number is that of all generic monitors, each of which asks again then.
  private static func genmon(_ actions: BarActions, _ command: String) -> [String] {
    [
      "# The properties of a generic monitor; or ~/.config/xfce4/panel/genmon-N.rc, where genmon-N is",
      "# the internal name that the panel's preferences show of the item",
      "Command=\(command)", "UseLabel=0", "UpdatePeriod=30000",
      "# To have it ask at each change, too, what ~/.config/autostart/tokenvault.desktop may hold; it",
      "# goes on when the panel is started again:",
      "# [Desktop Entry]", "# Type=Application", "# Name=TokenVault in the panel",
      "# Exec=\(actions.watchingChanges) --exec \"dbus-send --type=method_call"
        + " --dest=org.xfce.Panel /org/xfce/Panel org.xfce.Panel.PluginEvent string:genmon"
        + " string:refresh variant:boolean:true\"", "# OnlyShowIn=XFCE;",
    ]
  }

  private static func tint2(_ clicks: Clicks, _ command: String) -> [String] {
    [
      "# ~/.config/tint2/tint2rc: add E to panel_items", "execp = new",
      "execp_command = exec \(command)", "execp_continuous = 1", "execp_markup = 1",
      "execp_tooltip =", "execp_lclick_command = \(clicks.left)",
      "execp_mclick_command = \(clicks.middle)", "execp_rclick_command = \(clicks.right)",
    ]
  }

  private static func tmux(_ command: String) -> [String] {
    [
      "# ~/.tmux.conf", "set -g status-interval 5", "set -g status-right-length 80",
      "set -g status-right '#(exec \(command))'",
    ]
  }

  private static func eww(_ clicks: Clicks, _ command: String) -> [String] {
    [
      "; ~/.config/eww/eww.yuck, and (tokenvault-widget) where it is to stand",
      "(deflisten tokenvault :initial '{\"text\":\"\",\"tooltip\":\"\",\"severity\":\"idle\"}'",
      "  \"\(command)\")",
      "(defwidget tokenvault-widget []",
      "  (button :onclick \"\(clicks.left) &\" :onmiddleclick \"\(clicks.middle) &\"",
      "    :onrightclick \"\(clicks.right) &\" :class {tokenvault.severity}",
      "    :tooltip {tokenvault.tooltip} (label :text {tokenvault.text})))",
    ]
  }
}
