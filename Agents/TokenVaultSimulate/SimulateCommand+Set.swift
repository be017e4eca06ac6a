import CommandRuntime
import FileSupport
import Glibc
import SessionModel
import SnapshotTesting

extension SimulateCommand {
  /// `set`: puts a directory into a state, and into those that standard input names, until a signal.
  ///
  /// - Throws: `CommandFailure`.
  func set() throws(CommandFailure) {
    let directory = invocation.text(SimulateCommands.directory)
    let isOnce = invocation.has(SimulateCommands.once)
    guard !isOnce || directory != nil else {
      throw usage("--once needs --in, as a directory that was made goes away in the end")
    }
    let (namespace, group, signals) = (try namespace(), try accessGroup(), try signals())
    let state = try state(invocation.operands)
    let simulation: SimulatedVault
    do throws(SimulationError) {
      simulation = try SimulatedVault(
        in: directory.map(PathText.absolute), accessGroup: group, time: .system)
      try simulation.show(state, namespace: namespace)
    } catch {
      throw CommandFailure(error)
    }
    try CommandOutput.simulator.deliver(
      "export TOKENVAULT_RUNTIME_DIR=\(PathText.shellQuoted(simulation.path))\n")
    tell(simulation, namespace)
    if isOnce { return }
    CommandOutput.simulator.show("The host is played until Ctrl-C; each line is the next state.\n")
    var input = StateInput()
    while true {
      guard let ready = try? waitForInput([signals.rawDescriptor, input.descriptor], timeout: nil),
        ready[0].isEmpty
      else { return }
      guard !ready[1].isEmpty else { continue }
      for line in input.read() { show(line, simulation, namespace) }
      if input.isOver { return }
    }
  }

  private func show(_ line: String, _ simulation: SimulatedVault, _ namespace: Namespace) {
    do {
      let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
      guard !words.isEmpty else { return }
      try simulation.show(try StateWord.state(words), namespace: namespace)
      tell(simulation, namespace)
    } catch {
      CommandOutput.simulator.complain("\(error)")
    }
  }

  private func tell(_ simulation: SimulatedVault, _ namespace: Namespace) {
    CommandOutput.simulator.show("\(namespace): \(simulation.words(of: namespace))\n")
  }

  private func state(_ words: [String]) throws(CommandFailure) -> SimulatedState {
    do {
      // A state in quotation marks is one word of the command line.
      return try StateWord.state(
        words.flatMap { $0.split(separator: " ").map(String.init) })
    } catch {
      throw usage(error.description)
    }
  }
}

/// The lines of standard input, as far as they are for this program.
private struct StateInput {
  private var pending: [UInt8] = []
  private let isTerminal = isatty(STDIN_FILENO) == 1
  /// What to wait on; a negative number when nothing will come.
  private(set) var descriptor: Int32
  /// Whether a person has ended the input.
  private(set) var isOver = false

  init() {
    // In the background a terminal's lines are somebody else's, and reading them would stop us.
    let isOurs = isatty(STDIN_FILENO) != 1 || tcgetpgrp(STDIN_FILENO) == getpgrp()
    descriptor = isOurs ? STDIN_FILENO : -1
  }

  mutating func read() -> [String] {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    if count <= 0 {
      descriptor = -1
      isOver = isTerminal
      return []
    }
    pending += bytes.prefix(count)
    guard let end = pending.lastIndex(of: 0x0A) else { return [] }
    let lines = pending[..<end].split(separator: 0x0A)
    pending.removeSubrange(...end)
    return lines.map { String(decoding: $0, as: UTF8.self) }
  }
}
