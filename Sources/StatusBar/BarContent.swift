import SessionModel

/// What a bar shows of a state: harmless and short, and not yet escaped for any bar.
struct BarContent: Sendable, Hashable {
  /// The most bytes of a line that is read at leisure.
  static let usualLineBytes = 200
  /// The most bytes of such a line in a record that would else be too long.
  ///
  /// Then a record stays below 4096 bytes whatever escaping makes of it: one byte becomes six at
  /// most, as in `&quot;`.
  static let fewestLineBytes = 60

  private static let textBytes = 200
  private static let shortBytes = 80
  private static let accountLength = 32
  private static let valueBytes = 120

  /// The bar's text.
  let text: String
  /// The text where there is little room: the sign, and the time or the condition.
  let short: String
  /// What there is to say besides: the namespace, the account, why, and what to do; four lines at
  /// most.
  let lines: [String]
  /// The namespace.
  let namespace: String
  /// The condition.
  let condition: BarCondition
  /// The condition's colour; nil is the bar's own.
  let color: BarColor?
  /// The condition's sign; empty where there is none.
  let icon: String
  /// The time that is left; empty where it is not known or none is left.
  let remaining: String
  /// How much of the token's time is left, from 0 to 100.
  let percentage: Int64
  /// How long all this stays right; nil as long as nothing happens.
  let changesAfter: Duration?

  /// Shows a state in a style.
  ///
  /// - Parameters:
  ///   - state: the state.
  ///   - style: the style.
  ///   - isolates: whether text from right to left is kept apart from its neighbours.
  ///   - lineBytes: the most bytes of a line that is read at leisure.
  init(
    _ state: BarState, style: BarStyle, isolates: Bool, lineBytes: Int = Self.usualLineBytes
  ) {
    let time = state.expiresIn.map { RemainingTime($0, showsSeconds: style.showsSeconds) }
    let rest = state.session.isUsable ? time?.text ?? "" : ""
    let sign = BarText.shortened(BarText.harmless(style.icons[state.condition]), to: 8, bytes: 32)
    func fit(_ text: String, to length: Int, bytes: Int = Self.valueBytes) -> String {
      let cut = BarText.shortened(
        BarText.collapsed(BarText.harmless(text)), to: length, bytes: bytes)
      return isolates ? BarText.isolated(cut) : cut
    }
    // A name of nothing but spaces would leave a hole.
    let name = fit(state.account ?? "", to: Self.accountLength)
    func value(_ field: BarTemplate.Field) -> String {
      switch field {
      case .icon: sign
      case .namespace: fit(state.namespace, to: Self.accountLength)
      case .account: name.isEmpty ? fit(state.namespace, to: Self.accountLength) : name
      case .state: state.label
      case .session: state.session.word
      case .host: state.host.word
      case .remaining: rest
      case .reason: fit(state.reason ?? "", to: style.length)
      case .next: fit(state.nextStep ?? "", to: style.length)
      }
    }
    let filled = style.template.parts.map { part in
      switch part {
      case .words(let words): BarText.harmless(words)
      case .field(let field): value(field)
      }
    }.joined()
    text = BarText.shortened(BarText.collapsed(filled), to: style.length, bytes: Self.textBytes)
    let mostWanted = state.condition == .valid && !rest.isEmpty ? rest : state.label
    short = BarText.shortened(
      BarText.collapsed(sign + " " + mostWanted), to: 24, bytes: Self.shortBytes)
    let left = rest.isEmpty ? "" : ", \(rest) left"
    lines =
      ["\(state.namespace): \(state.label)\(left)", state.account, state.reason, state.nextStep]
      .map { fit($0 ?? "", to: lineBytes, bytes: lineBytes) }.filter { !$0.isEmpty }
    namespace = fit(state.namespace, to: 64)
    condition = state.condition
    color = style.colors[state.condition]
    icon = sign
    remaining = rest
    percentage = state.percentage
    // Where the time is not in the text, the rest of a record may be a little behind.
    changesAfter =
      rest.isEmpty || !style.template.showsRemaining ? nil : time?.changesAfter
  }
}
