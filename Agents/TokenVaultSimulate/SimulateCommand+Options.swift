import CommandRuntime
import FileSupport
import SessionModel
import SnapshotTesting

extension SimulateCommand {
  /// The namespace that is named.
  ///
  /// - Throws: `CommandFailure`.
  func namespace() throws(CommandFailure) -> Namespace {
    guard let name = invocation.text(SimulateCommands.namespace) else { return .primary }
    guard let namespace = Namespace(name) else { throw usage(Self.nameRule("namespace", name)) }
    return namespace
  }

  /// The access group that is named.
  ///
  /// - Throws: `CommandFailure`.
  func accessGroup() throws(CommandFailure) -> AccessGroup {
    guard let name = invocation.text(SimulateCommands.group) else { return .default }
    guard let group = AccessGroup(name) else { throw usage(Self.nameRule("access group", name)) }
    return group
  }

  /// How fast the scenario is played.
  ///
  /// - Throws: `CommandFailure`.
  func speed() throws(CommandFailure) -> Int {
    let speed = invocation.number(SimulateCommands.speed) ?? 1
    guard (1...100).contains(speed) else { throw usage("--speed takes 1 to 100, not \(speed)") }
    return speed
  }

  /// How much the widget is allowed.
  func limits() -> TrialLimits {
    var limits = TrialLimits()
    if let within = invocation.duration(SimulateCommands.within) { limits.within = within }
    if let blank = invocation.duration(SimulateCommands.blank) { limits.blank = blank }
    if let percent = invocation.number(SimulateCommands.processor) { limits.processor = percent }
    limits.without = Set(
      invocation.texts(SimulateCommands.without).compactMap { TrialRule(rawValue: $0) })
    return limits
  }

  /// What the command line expects besides the scenario.
  ///
  /// - Throws: `CommandFailure`.
  func expectations() throws(CommandFailure) -> [Scenario.Expectation] {
    var expectations: [Scenario.Expectation] = []
    for text in invocation.texts(SimulateCommands.expect) {
      do {
        expectations.append(try Scenario.Expectation(parsing: text))
      } catch {
        throw usage("--expect: \(error)")
      }
    }
    return expectations
  }

  /// Catches what ends the program.
  ///
  /// - Throws: `CommandFailure`.
  func signals() throws(CommandFailure) -> SignalMonitor {
    do {
      return try SignalMonitor([.terminate, .interrupt, .hangUp])
    } catch {
      throw CommandFailure("signals cannot be caught: \(error)", .storage)
    }
  }

  /// A wrong command line.
  func usage(_ problem: String) -> CommandFailure {
    let error = UsageError(
      problem, title: "\(SimulateCommands.table.program) \(invocation.command)")
    return CommandFailure(error.description, error.exitCode)
  }

  private static func nameRule(_ kind: String, _ name: String) -> String {
    "\(PrintableText.quoted(name)) is no \(kind): a name has 1 to 64 letters, digits, \".\", \"_\""
      + " and \"-\", the first of them a letter or a digit"
  }
}
