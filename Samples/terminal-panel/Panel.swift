import SessionModel
import VaultReader
import VaultWatching

/// What the panel shows: a state in two columns, and the last few events.
struct Panel {
  private static let width = 78
  /// How wide the column of names is.
  private static let names = 12
  private let screen: Screen
  private var events: [String] = []
  private var watching = "…"
  private var token: (end: UnixTime, published: UnixTime)?
  /// What is to be seen just now, where somebody says so.
  var caption: String?

  /// Creates a panel that has heard of nothing yet.
  init(screen: Screen) { self.screen = screen }

  /// Takes in what a watcher told.
  mutating func take(_ update: VaultUpdate) {
    let generation = update.state.generation.map { "  #\($0)" } ?? ""
    let words = "\(update.state.session.word), host \(update.state.host.word)"
    events.append("\(clockTime())  \(update.change): \(words)\(generation)")
    events = events.suffix(4)
    // The host publishes one token again and again; the bar is full at the first time only.
    if let end = update.state.expiresAt, end != token?.end {
      token = update.state.publishedAt.map { (end, $0) }
    }
    switch update.watchMode {
    case .inotify: watching = "inotify"
    case .polling(let reason): watching = "polling: \(reason)"
    }
  }

  /// One line for a log.
  func line(_ update: VaultUpdate) -> String {
    let left = update.state.expiresIn.map { $0 > .zero ? ", \(span($0)) left" : ", ended" } ?? ""
    return "\(events.last ?? "")\(left)"
  }

  /// The panel's lines at this moment.
  func lines(_ state: VaultState) -> [String] {
    let title = cut(" TokenVault · \(state.namespace) ", to: Panel.width - 4)
    var lines = ["╭─\(title)\(String(repeating: "─", count: Panel.width - 3 - title.count))╮"]
    if let caption {
      lines += rows("", caption, .caption)
      lines.append("├\(String(repeating: "─", count: Panel.width - 2))┤")
    }
    lines.append(row("account", plain(state.accountName ?? "nobody")))
    lines.append(row("session", "● \(state.session.word)", tone(state.session)))
    lines.append(row("host", "● \(state.host.word)", tone(state.host)))
    lines.append(row("time left", timeLeft(state), tone(state.session)))
    lines.append(row("generation", state.generation.map { "\($0)" } ?? "none"))
    lines.append(row("watching", watching))
    lines += rows("why", state.reason ?? "all is well", .dim)
    lines += rows("next", state.nextStep ?? "nothing to do", .dim)
    lines.append("├\(String(repeating: "─", count: Panel.width - 2))┤")
    for event in events.reversed() { lines.append(row("", event, .plain)) }
    lines += Array(repeating: row("", ""), count: 4 - events.count)
    return lines + ["╰\(String(repeating: "─", count: Panel.width - 2))╯"]
  }

  /// As many rows as a sentence needs, broken between words.
  private func rows(_ name: String, _ text: String, _ tone: Screen.Tone) -> [String] {
    let room = Panel.width - 4 - (name.isEmpty ? 0 : Panel.names)
    var pieces = [""]
    for word in text.split(separator: " ") {
      let last = pieces.count - 1
      if pieces[last].isEmpty {
        pieces[last] = String(word)
      } else if pieces[last].count + 1 + word.count <= room {
        pieces[last] += " " + word
      } else {
        pieces.append(String(word))
      }
    }
    return pieces.enumerated().map { index, piece in
      row(index > 0 && !name.isEmpty ? " " : name, piece, tone)
    }
  }

  private func row(_ name: String, _ value: String, _ tone: Screen.Tone = .plain) -> String {
    let head = name.isEmpty ? "" : name + String(repeating: " ", count: Panel.names - name.count)
    let room = Panel.width - 4 - head.count
    let shown = cut(value, to: room)
    let padding = String(repeating: " ", count: room - shown.count)
    return "│ \(screen.paint(head, .dim))\(screen.paint(shown, tone))\(padding) │"
  }

  private func timeLeft(_ state: VaultState) -> String {
    guard let left = state.expiresIn else { return "unknown" }
    guard left > .zero else { return "ended \(span(.zero - left)) ago" }
    guard let end = state.expiresAt, let start = token?.published, token?.end == end,
      end > start
    else {
      return span(left)
    }
    let whole = end.since(start).components.seconds
    let filled = Int(min(20, (left.components.seconds + 1) * 20 / whole))
    let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: 20 - filled)
    return "\(bar)  \(span(left))"
  }
}
