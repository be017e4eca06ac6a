import FileSupport
import Glibc

extension ChildProcess {
  /// Waits for the end of the program, which is killed with its group when it takes too long.
  ///
  /// - Parameter limit: how long it may take.
  /// - Returns: how it ended; nil when it was killed.
  /// - Throws: `ChildProcessError` when there is nothing to wait for.
  package func wait(within limit: Duration) throws(ChildProcessError) -> Ending? {
    let deadline = Deadline(after: limit)
    var call = "pidfd_open"
    var hasEnded = false
    do throws(Errno) {
      let end = try ProcessDescriptor(of: identifier)
      call = "poll"
      // A signal ends a wait early, which is not the end of the program's time.
      repeat {
        hasEnded = try waitForInput(end.rawDescriptor, timeout: deadline.rest)
      } while !hasEnded && deadline.rest > .zero
    } catch {
      send(SIGKILL)
      _ = try? wait()
      throw ChildProcessError(program: program, reason: .system(call: call, error))
    }
    if !hasEnded { send(SIGKILL) }
    let ending = try wait()
    return hasEnded ? ending : nil
  }
}
