/// How a bar's text looks.
public struct BarStyle: Sendable, Hashable {
  /// The greatest length that a text can be given, in characters.
  public static let greatestLength = 120

  /// What the text is made of.
  public var template: BarTemplate
  /// The signs of the conditions.
  public var icons: BarIcons
  /// The colours of the conditions.
  public var colors: BarColors
  /// Whether the last minute is counted in seconds, which wakes the program each second.
  public var showsSeconds: Bool
  /// The most characters of the text; it is cut before it is escaped.
  public var length: Int {
    get { limit }
    set { limit = min(max(newValue, 1), Self.greatestLength) }
  }

  private var limit = 80

  /// Makes a style.
  public init(
    template: BarTemplate = .standard, icons: BarIcons = .symbols, colors: BarColors = .standard,
    showsSeconds: Bool = false
  ) {
    self.template = template
    self.icons = icons
    self.colors = colors
    self.showsSeconds = showsSeconds
  }
}
