import CommandRuntime
import HostControl
import VaultReporting

extension VaultCommand {
  /// `forget`: has the host erase everything that this machine knows of a namespace.
  ///
  /// - Throws: `CommandFailure`.
  func forget() throws(CommandFailure) {
    let namespace = try operandNamespace()
    let event = try answer(
      to: .forget(namespace),
      otherwise: "nothing changed; without it: tokenvault-host --forget \(namespace)")
    guard case .forgotten(_, let isRevoked) = event else { throw failure(event) }
    CommandOutput.vault.write(
      invocation.has(VaultCommands.json)
        ? SignInReport.json(event) ?? "" : "\(namespace) is forgotten\n")
    guard !isRevoked else { return }
    CommandOutput.vault.show(
      "The provider is not known to have revoked it: end it in your account there, or let it run"
        + " out.\n")
  }
}
