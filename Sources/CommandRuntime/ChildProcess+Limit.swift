import FileSupport
import Glibc

extension ChildProcess {
  /// Waits for the end of the program, which is killed with its group when it takes too long.
  ///
  /// - Parameter limit: how long it may take.
  /// - Returns: how it ended; nil when it was killed.
  /// - Throws: `ChildProcessError` when there is nothing to wait for.
  package func wait(within limit: Duration) throws(ChildProcessError) -> Ending? {
    let hasEnded: Bool
    do {
      hasEnded = try reachEnd(within: limit)
    } catch {
      _ = try? wait()
      throw error
    }
    let ending = try wait()
    return hasEnded ? ending : nil
  }

  /// Waits for the end of the program, which is killed with its group when it takes too long, and
  /// leaves it to `wait`: until then nobody else has its number.
  ///
  /// - Parameter limit: how long it may take.
  /// - Returns: whether it ended by itself.
  /// - Throws: `ChildProcessError` when its end cannot be waited for; then it is killed, too.
  package func reachEnd(within limit: Duration) throws(ChildProcessError) -> Bool {
    let deadline = Deadline(after: limit)
    var call = "pidfd_open"
    do throws(Errno) {
      let end = try ProcessDescriptor(of: identifier)
      call = "poll"
      // A signal ends a wait early, which is not the end of the program's time.
      repeat {
        if try waitForInput(end.rawDescriptor, timeout: deadline.rest) { return true }
      } while deadline.rest > .zero
    } catch {
      send(SIGKILL)
      throw ChildProcessError(program: program, reason: .system(call: call, error))
    }
    send(SIGKILL)
    return false
  }
}
