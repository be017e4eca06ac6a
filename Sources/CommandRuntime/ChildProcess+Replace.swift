package import FileSupport
import Glibc

extension ChildProcess {
  /// Turns this process into another program (`execvp(3)`).
  ///
  /// The program starts as if it had been started in our place: no signal blocked, `SIGPIPE` not
  /// ignored.
  ///
  /// - Parameters:
  ///   - command: The program, found in `PATH` where it has no slash, and its arguments, byte for
  ///     byte.
  ///   - environment: Its environment.
  /// - Throws: `ChildProcessError` when the program cannot be executed; it never returns else.
  package static func replace(
    with command: [[UInt8]], environment: Environment
  ) throws(ChildProcessError) -> Never {
    let program = String(decoding: command.first ?? [], as: UTF8.self)
    guard !program.isEmpty else { throw ChildProcessError(program: "", reason: .noCommand) }
    _ = signal(SIGPIPE, SIG_DFL)
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
    let cause = executeProgram(command, environment: environment)
    throw ChildProcessError(program: program, reason: .starting(cause))
  }
}
