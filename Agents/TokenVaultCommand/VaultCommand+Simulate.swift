import CommandRuntime
import FileSupport
import Glibc
import VaultReporting

extension VaultCommand {
  private static let simulator = "tokenvault-simulate"

  /// `simulate`: turns into the program that can make snapshots, which no reader can.
  ///
  /// It is looked for beside this one, where both are built and installed, and then in `PATH`.
  /// - Throws: `CommandFailure`; it never returns else.
  func simulate() throws(CommandFailure) {
    let own = readSystemLink("/proc/self/exe") ?? ""
    let beside = own.lastIndex(of: "/").map { own[...$0] + Self.simulator } ?? Self.simulator[...]
    let path = String(beside)
    let program = unsafe access(path, X_OK) == 0 ? path : Self.simulator
    do throws(ChildProcessError) {
      try ChildProcess.replace(
        with: [Array(program.utf8)] + lastArguments(invocation.operands.count),
        environment: .process)
    } catch {
      throw CommandFailure(error.description, error.exitCode)
    }
  }
}
