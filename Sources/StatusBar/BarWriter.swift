/// Writes states down as one bar reads them.
///
/// ```swift
/// let writer = BarWriter(.waybar)
/// let record = writer.record(of: BarState(vault.state(namespace: "primary")))
/// ```
/// A record is shorter than 4096 bytes, so that one `write(2)` to a pipe passes it on whole, and
/// it ends with a line end. No text of an account, an issuer or a host can act in it as anything
/// but text.
public struct BarWriter: Sendable {
  /// The bar.
  public let format: BarFormat
  // PIPE_BUF: a shorter record is never written to a pipe in parts.
  private static let lengthLimit = 4096

  private let style: BarStyle
  private let actions: BarActions?

  /// Makes a writer.
  ///
  /// - Parameters:
  ///   - format: the bar.
  ///   - style: how the text looks.
  ///   - actions: what clicks do, for the bars that read that in a record; nil for nothing.
  public init(_ format: BarFormat, style: BarStyle = BarStyle(), actions: BarActions? = nil) {
    self.format = format
    self.style = style
    self.actions = actions
  }

  /// What stands before the first record and has to be written together with it; often nothing.
  public var opening: String {
    switch format {
    case .i3bar, .swaybar: I3Record.header
    default: ""
    }
  }

  /// Writes a state down.
  ///
  /// - Parameter state: the state.
  /// - Returns: the record with its line end.
  public func record(of state: BarState) -> String {
    let usual = record(of: content(of: state))
    guard usual.utf8.count >= Self.lengthLimit else { return usual }
    return record(of: content(of: state, lineBytes: BarContent.fewestLineBytes))
  }

  private func record(of content: BarContent) -> String {
    switch format {
    case .waybar: WaybarRecord.text(content)
    case .i3bar, .swaybar: I3Record.line(content)
    case .i3blocks: I3Record.blockLine(content)
    case .i3blocksRaw: I3Record.rawLines(content)
    case .polybar: PolybarRecord.text(content, actions)
    case .lemonbar: LemonbarRecord.text(content, actions)
    case .genmon: GenmonRecord.text(content, actions)
    case .tint2: PangoText.colored(content.text, content.color) + "\n"
    case .conky: ConkyRecord.text(content)
    case .tmux: TmuxRecord.text(content)
    case .eww: EwwRecord.text(content)
    case .argos: ArgosRecord.text(content, actions)
    case .plain: content.text + "\n"
    }
  }

  /// How long a record of a state stays right although nothing happens; nil for ever.
  ///
  /// - Parameter state: the state.
  /// - Returns: the time until a shown step of the remaining time is passed.
  public func changesAfter(_ state: BarState) -> Duration? { content(of: state).changesAfter }

  private func content(
    of state: BarState, lineBytes: Int = BarContent.usualLineBytes
  ) -> BarContent {
    BarContent(state, style: style, isolates: format.isDrawnByPango, lineBytes: lineBytes)
  }
}
