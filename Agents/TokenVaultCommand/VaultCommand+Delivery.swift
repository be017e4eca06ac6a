import CommandRuntime
import HostControl
import SessionModel
import VaultReporting

extension VaultCommand {
  /// `deliver`: brings an address that the desktop was given to the sign-in that waits for it.
  ///
  /// - Throws: `CommandFailure`.
  func deliver() throws(CommandFailure) {
    if let scheme = invocation.text(VaultCommands.desktopEntry) {
      guard
        let text = DesktopEntry.text(scheme: scheme, program: CommandLine.arguments.first ?? "")
      else {
        throw CommandFailure(
          "the scheme has to be a domain name of yours, reversed, such as com.example.app, and"
            + " this program has to be started by its whole path", .usage)
      }
      return CommandOutput.write(text)
    }
    guard let address = invocation.operands.first else {
      throw CommandFailure("there is no address to deliver; the desktop gives it", .usage)
    }
    try complete(address, isNamed: nil)
  }
}
