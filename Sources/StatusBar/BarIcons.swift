/// The signs that stand for conditions.
public struct BarIcons: Sendable, Hashable {
  /// No sign at all.
  public static let none = BarIcons(signs: [:])
  /// Signs of ASCII, for fonts that have nothing else.
  public static let ascii = BarIcons(signs: [
    .valid: "+", .expiring: "~", .renewing: "~", .expired: "x", .offline: "!", .waiting: "~",
    .storageFailed: "!", .locked: "#", .stale: "?", .signedOut: "-",
    .reauthenticationRequired: "!", .absent: "-", .error: "!",
  ])
  /// Signs that most text fonts have.
  public static let symbols = BarIcons(signs: [
    .valid: "●", .expiring: "◐", .renewing: "◐", .expired: "○", .offline: "△", .waiting: "◔",
    .storageFailed: "✕", .locked: "◼", .stale: "◌", .signedOut: "○",
    .reauthenticationRequired: "▲", .absent: "○", .error: "✕",
  ])
  /// Emoji, for bars with a font of them.
  public static let emoji = BarIcons(signs: [
    .valid: "🔑", .expiring: "⏳", .renewing: "🔄", .expired: "⌛", .offline: "📡", .waiting: "⏳",
    .storageFailed: "💾", .locked: "🔒", .stale: "💤", .signedOut: "🚪",
    .reauthenticationRequired: "🚨", .absent: "🚪", .error: "❌",
  ])
  /// Signs of a Nerd Font, whose code points are private: `nf-fa-…` of Font Awesome.
  public static let nerd = BarIcons(signs: [
    .valid: "\u{F084}", .expiring: "\u{F252}", .renewing: "\u{F021}", .expired: "\u{F253}",
    .offline: "\u{F127}", .waiting: "\u{F251}", .storageFailed: "\u{F0A0}", .locked: "\u{F023}",
    .stale: "\u{F186}", .signedOut: "\u{F08B}", .reauthenticationRequired: "\u{F090}",
    .absent: "\u{F08B}", .error: "\u{F071}",
  ])

  /// The sets by their names: `none`, `ascii`, `symbols`, `emoji` and `nerd`.
  package static let named: [(name: String, icons: BarIcons)] = [
    ("none", none), ("ascii", ascii), ("symbols", symbols), ("emoji", emoji), ("nerd", nerd),
  ]

  private var signs: [BarCondition: String]

  private init(signs: [BarCondition: String]) {
    self.signs = signs
  }

  /// The sign of a condition; empty where there is none.
  public subscript(condition: BarCondition) -> String {
    get { signs[condition] ?? "" }
    set { signs[condition] = newValue }
  }
}
