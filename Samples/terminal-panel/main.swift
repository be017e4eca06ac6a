import Glibc
import VaultReader
import VaultWatching

// A panel in the terminal that shows one session as a widget sees it, and each change of it.
// It uses what any widget can use: VaultReader to read, VaultWatching to hear of changes.

let help = """
  Usage: terminal-panel [--namespace NS] [--group GROUP] [--captions]

  Shows a session and its changes until Ctrl-C; one line a change when the output is no terminal.
  With --captions each line of standard input becomes the panel's caption.
  The host is found as every reader finds it; TOKENVAULT_RUNTIME_DIR names another place.
  NO_COLOR turns colours off.
  """

var namespace = "primary"
var group = "default"
var wantsCaptions = false
var arguments = CommandLine.arguments.dropFirst()
while let option = arguments.popFirst() {
  switch option {
  case "--help", "-h":
    print(help)
    exit(0)
  case "--namespace", "-n": namespace = arguments.popFirst() ?? ""
  case "--group", "-g": group = arguments.popFirst() ?? ""
  case "--captions": wantsCaptions = true
  default:
    complain("terminal-panel: unknown option \(option)\n\(help)")
    exit(64)
  }
}

do {
  let vault = try TokenVault(accessGroup: group)
  let monitor = try VaultMonitor(vault, namespace: namespace)
  let isTerminal = isatty(STDOUT_FILENO) == 1
  let wantsNoColor = unsafe getenv("NO_COLOR").map { unsafe $0[0] != 0 } ?? false
  let screen = Screen(isColored: isTerminal && !wantsNoColor)
  var panel = Panel(screen: screen)
  var captions = Captions(isWanted: wantsCaptions)
  Interruption.catchSignals()
  if isTerminal { screen.open() }
  var isSeen = true
  while isSeen && !screen.isGone && !Interruption.hasCome {
    if let caption = captions.next() {
      panel.caption = caption
      if !isTerminal { screen.write("» \(caption)\n") }
    }
    while let update = monitor.next(timeout: .zero) {
      panel.take(update)
      if !isTerminal { screen.write(panel.line(update) + "\n") }
    }
    // The countdown alone needs a look a second, and only somebody who sees it needs the countdown.
    if isTerminal { screen.draw(panel.lines(vault.state(namespace: namespace))) }
    isSeen = Interruption.wait(
      for: [monitor.descriptor, captions.descriptor], milliseconds: isTerminal ? 1000 : -1)
  }
  if isTerminal { screen.close() }
} catch {
  complain("terminal-panel: \(error)")
  exit(64)
}

/// Writes a text to standard error.
func complain(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  unsafe _ = write(STDERR_FILENO, bytes, bytes.count)
}
