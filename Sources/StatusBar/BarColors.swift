/// A colour as bars write it.
public struct BarColor: Sendable, Hashable, CustomStringConvertible {
  /// `#rrggbb`, in small letters.
  public let description: String

  /// Reads a colour; nil when the text is none of `#RRGGBB` and `#RGB`.
  public init?(_ text: String) {
    let digits = text.dropFirst()
    guard text.first == "#", digits.utf8.count == 6 || digits.utf8.count == 3,
      digits.utf8.allSatisfy({
        (0x30...0x39).contains($0) || (0x41...0x46).contains($0) || (0x61...0x66).contains($0)
      })
    else { return nil }
    let long = digits.utf8.count == 6 ? String(digits) : digits.map { "\($0)\($0)" }.joined()
    description = "#" + long.lowercased()
  }

  private init(known text: String) {
    description = text
  }

  static let amber = BarColor(known: "#e5a50a")
  static let red = BarColor(known: "#e5484d")
  static let grey = BarColor(known: "#8a8f98")
}

/// The colours that stand for conditions; waybar, eww and others with style sheets need none.
public struct BarColors: Sendable, Hashable {
  /// The bar's own colour for everything.
  public static let none = BarColors(bySeverity: [:])
  /// The bar's own colour while all is well; else amber, red or grey.
  public static let standard = BarColors(
    bySeverity: [.idle: .grey, .warning: .amber, .critical: .red])

  private var bySeverity: [BarSeverity: BarColor]
  private var byCondition: [BarCondition: BarColor] = [:]

  private init(bySeverity: [BarSeverity: BarColor]) {
    self.bySeverity = bySeverity
  }

  /// The colour of a condition; nil is the bar's own.
  public subscript(condition: BarCondition) -> BarColor? {
    get { byCondition[condition] ?? bySeverity[condition.severity] }
    set { byCondition[condition] = newValue }
  }

  /// The colour of all conditions of a severity that have none of their own.
  public subscript(severity: BarSeverity) -> BarColor? {
    get { bySeverity[severity] }
    set { bySeverity[severity] = newValue }
  }
}
