import CommandRuntime
import FileSupport
import HostControl
import SessionModel
import StrictJSON
import VaultReporting

extension VaultCommand {
  /// `introspect`: has the host ask the provider what it holds of the access token.
  ///
  /// - Throws: `CommandFailure`.
  func introspect() throws(CommandFailure) {
    let namespace = try operandNamespace()
    let event: ControlEvent
    do throws(ControlError) {
      event = try answer(to: .introspect(namespace))
    } catch {
      throw CommandFailure(error)
    }
    guard case .introspection(let answer) = event else { throw failure(event) }
    if invocation.has(VaultCommands.json) {
      CommandOutput.vault.write(answer.object.line)
    } else {
      let now = UnixTime(rawValue: wallClockSeconds())
      CommandOutput.vault.write(IntrospectionReport.text(answer, now: now))
    }
    guard !answer.isActive else { return }
    throw CommandFailure(
      "the provider does not take the access token of \(namespace) any more;"
        + " for another one: tokenvault renew \(namespace)", .expired)
  }
}
