import CommandRuntime
import FileSupport
import HostControl
import SessionModel
import VaultReporting

extension VaultCommand {
  /// `deliver`: brings an address that the desktop was given to the sign-in that waits for it.
  ///
  /// - Throws: `CommandFailure`.
  func deliver() throws(CommandFailure) {
    if let scheme = invocation.text(VaultCommands.desktopEntry) {
      guard PrivateUseScheme.isScheme(scheme) else {
        throw CommandFailure(
          "the scheme has to be a domain name of yours, reversed, such as com.example.app", .usage)
      }
      let program = Self.programPath()
      guard let text = DesktopEntry.text(scheme: scheme, program: program) else {
        throw CommandFailure(
          "a desktop entry cannot name this program at \(PrintableText.quoted(program)): its path"
            + " may hold letters, digits, \"/\", \".\", \"_\" and \"-\" only", .usage)
      }
      return CommandOutput.vault.write(text)
    }
    guard let address = invocation.operands.first else {
      throw CommandFailure("there is no address to deliver; the desktop gives it", .usage)
    }
    try complete(address, isNamed: nil)
  }

  /// The path that this program was started by; where it was found in `PATH`, the file's own.
  static func programPath() -> String {
    let name = CommandLine.arguments.first ?? ""
    return name.hasPrefix("/") ? name : readSystemLink("/proc/self/exe") ?? name
  }
}
