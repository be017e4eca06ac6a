import CommandRuntime
import FileSupport
import Glibc
import HostControl
import SessionModel
import StatusBar
import VaultReader
import VaultReporting
import VaultWatching

/// Shows one namespace in one bar, until the bar or somebody else ends it; nothing ends it badly.
struct BarReader: ~Copyable {
  private let vault: TokenVault
  private let namespace: Namespace
  private let program: String
  private let clicks = SoleRun()
  private var display: BarDisplay
  private var hooks: ChangeHooks
  private var lines = ClickLines()
  private var input: Int32
  private var hasShown = false

  /// Makes a reader that has shown nothing.
  ///
  /// - Parameters:
  ///   - writer: writes the records.
  ///   - vault: the vault.
  ///   - namespace: the namespace.
  ///   - program: the path of this program, which clicks start: no shell and no bar reads it.
  ///   - hooks: what else is told of a change.
  init(
    _ writer: BarWriter, vault: TokenVault, namespace: Namespace, program: String,
    hooks: ChangeHooks
  ) {
    self.vault = vault
    self.namespace = namespace
    self.program = program
    self.hooks = hooks
    let hasInput = writer.format.tellsClicks && !(writer.format == .i3blocks && Self.sharesInput)
    input = hasInput ? STDIN_FILENO : -1
    display = BarDisplay(writer, state: BarState(vault.state(namespace: namespace.name)))
  }

  /// Writes one record.
  ///
  /// - Parameter lingers: whether the bar may lose it when the program ends right behind it.
  mutating func showOnce(lingers: Bool) {
    _ = signal(SIGPIPE, SIG_IGN)
    guard write(), lingers else { return }
    _ = try? waitForInput(
      [], hangUpsOf: [StandardStream.output.descriptor], timeout: .milliseconds(50))
  }

  /// Starts what a click asks for.
  func act(on click: BarClick) {
    guard let action = display.action(of: click) else { return }
    clicks.start(
      [program] + action.arguments(namespace: namespace, accessGroup: vault.accessGroup))
  }

  /// Writes a record at once and whenever there is another, until the bar goes away or a signal
  /// asks for the end.
  mutating func show() {
    // What cannot be had at the start, or waited for, is the end: a bar starts its programs again.
    try? watch()
    hooks.end()
  }

  private mutating func watch() throws(Errno) {
    // Bars that mean others by these must not end this one.
    for number in [SIGPIPE, SIGUSR1, SIGUSR2] { _ = signal(number, SIG_IGN) }
    let ending = try SignalPipe(catching: [SIGTERM, SIGINT, SIGHUP, SIGCONT])
    let timer = try BootTimer()
    var monitor: VaultMonitor?
    while true {
      // The first record waits for nothing: no watch, no host, no network.
      if hasShown, monitor == nil {
        monitor = try? VaultMonitor(vault, namespace: namespace.name)
      }
      take(from: monitor)
      // A bar that does not read is written to when it does: nothing is ever written by halves, and
      // a signal never waits.
      let isDue = display.due != nil
      let pauses = [
        isDue ? nil : display.changesAfter, hooks.rest,
        hasShown && monitor == nil ? .seconds(1) : nil,
      ]
      timer.set(after: pauses.compactMap(\.self).min())
      let ready = try waitUntilReady(
        [
          PollSource(ending.rawDescriptor), PollSource(monitor?.descriptor ?? -1),
          PollSource(timer.rawDescriptor), PollSource(input),
          PollSource(StandardStream.output.descriptor, for: isDue ? .writable : []),
        ], timeout: nil)
      guard ready[4].isDisjoint(with: .hungUp) else { return }
      while let number = try ending.next() {
        guard number == SIGCONT else { return }
        readAgain()
      }
      if !ready[2].isEmpty { readAgain() }
      if !ready[3].isEmpty { takeClicks() }
      if ready[4].contains(.writable), !write() { return }
      hooks.fireIfDue()
    }
  }

  // i3blocks 1.4 leaves its own input, with the clicks on all blocks, to what it starts; later ones
  // make one for each, and name the block's properties as its configuration does.
  private static var sharesInput: Bool {
    let block = Environment.process(["BLOCK_INTERVAL", "interval"])
    return block["BLOCK_INTERVAL"] != nil && block["interval"] == nil
  }

  private mutating func take(from monitor: VaultMonitor?) {
    while let update = monitor?.next(timeout: .zero) {
      display.take(BarState(update.state))
      if update.change != .watchMode { hooks.note(NamespaceStatus(update.state, of: namespace)) }
    }
  }

  private mutating func readAgain() {
    display.take(BarState(vault.state(namespace: namespace.name)))
  }

  // The end of the input is no end of the work: many bars give none.
  private mutating func takeClicks() {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe read(input, &bytes, bytes.count)
    if count > 0 {
      for click in lines.take(bytes[..<count]) { act(on: click) }
    } else if count == 0 || errno != EINTR {
      input = -1
    }
  }

  private mutating func write() -> Bool {
    guard let record = display.due else { return true }
    guard (try? StandardStream.output.write(record)) != nil else { return false }
    display.noteWritten()
    hasShown = true
    return true
  }
}
