import Glibc
import StatusBar
import TestSupport
import Testing

/// The colours that the samples give to text and signs, against what is behind them (WCAG 2, 1.4.3
/// and 1.4.11).
@Suite struct ContrastTests {
  private typealias Rule = (selector: String, color: String?, background: String?, edge: String?)

  /// The rules of a style sheet, with those colours that are numbers.
  private static func rules(_ sheet: String) throws -> [Rule] {
    try TestFile.text("\(PackageLayout.root)/Samples/\(sheet)").split(separator: "}").map { rule in
      func value(_ name: String) -> String? {
        rule.split { "{;\n".contains($0) }.last { $0.drop { $0 == " " }.hasPrefix("\(name):") }
          .flatMap { line in line.firstIndex(of: "#").map { String(line[$0...].prefix(7)) } }
      }
      return (
        String(rule.prefix { $0 != "{" }), value("color"),
        value("background-color") ?? value("background"),
        value("border-left") ?? value("border-left-color")
      )
    }
  }

  private static func contrast(_ one: String, _ other: String) -> Double {
    func luminance(_ color: String) -> Double {
      let number = Int(color.dropFirst(), radix: 16) ?? 0
      return zip([0.2126, 0.7152, 0.0722], [16, 8, 0]).reduce(0) { sum, part in
        let level = Double(number >> part.1 & 0xFF) / 255
        return sum + part.0 * (level <= 0.03928 ? level / 12.92 : pow((level + 0.055) / 1.055, 2.4))
      }
    }
    let (first, second) = (luminance(one), luminance(other))
    return (max(first, second) + 0.05) / (min(first, second) + 0.05)
  }

  @Test func textInABarCanBeRead() throws {
    let rules = try Self.rules("bars/waybar/style.css") + Self.rules("bars/eww/eww.scss")
    let bar = try #require(rules.first { $0.selector.contains("window#waybar") }?.background)
    let texts = rules.compactMap { rule in rule.color.map { ($0, rule.background ?? bar) } }
    #expect(texts.count == 8)
    let own = [BarSeverity.idle, .warning, .critical].compactMap { BarColors.standard[$0] }
    for (color, background) in texts + own.map({ ($0.description, bar) }) {
      #expect(Self.contrast(color, background) >= 4.5, "\(color) on \(background)")
    }
  }

  // The card's own background is the theme's: Adwaita's light and dark one.
  @Test func aBadgeCanBeReadAndALevelAndANoticeBeSeen() throws {
    let rules = try Self.rules("account-panel/look.css")
    let badges = rules.filter { $0.selector.contains(".badge.") && $0.background != nil }
    #expect(badges.count == 3)
    for badge in badges {
      let ratio = Self.contrast(try #require(badge.color), try #require(badge.background))
      #expect(ratio >= 4.5, "\(badge.selector)")
    }
    let levels = rules.compactMap { $0.selector.contains("block.filled") ? $0.background : nil }
    let signs = levels + rules.compactMap(\.edge)
    #expect(levels.count == 3 && signs.count == 5)
    for sign in signs {
      for card in ["#ffffff", "#2d2d2d"] {
        #expect(Self.contrast(sign, card) >= 3, "\(sign) on \(card)")
      }
    }
  }
}
