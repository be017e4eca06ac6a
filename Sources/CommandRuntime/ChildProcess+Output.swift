import FileSupport
import Glibc
import SessionModel

extension ChildProcess {
  /// Runs a command that prints a secret and lends its output, which is wiped afterwards.
  ///
  /// It blocks; a program with tasks calls it from a thread of its own.
  ///
  /// - Parameters:
  ///   - command: The program and its arguments.
  ///   - limit: How many bytes it may print.
  ///   - timeout: How long it may take.
  ///   - input: Its standard input.
  ///   - error: Its standard error.
  ///   - group: What it stays together with; one that asks at the terminal has to be in ours.
  ///   - body: Takes what it printed; the memory is overwritten when it returns.
  /// - Returns: What `body` returns.
  /// - Throws: `ChildProcessError` when the command fails, is killed, or prints or takes too much.
  package static func withOutput<Result>(
    of command: [String], limit: Int, timeout: Duration, input: Stream = .null,
    error: Stream = .inherited, group: Group = .own,
    _ body: (RawSpan) -> Result
  ) throws(ChildProcessError) -> Result {
    let pipe: Pipe
    do {
      pipe = try Pipe()
    } catch {
      throw ChildProcessError(
        program: command.first ?? "", reason: .system(call: "pipe", error))
    }
    let child = try ChildProcess(
      command, input: input, output: .descriptor(pipe.writing.rawValue), error: error, group: group)
    let reading = pipe.takeReadingEnd()
    // One byte more than allowed shows that there is too much; the buffer never moves.
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: limit + 1, alignment: 16)
    defer {
      if let memory = buffer.baseAddress { unsafe explicit_bzero(memory, buffer.count) }
      unsafe buffer.deallocate()
    }
    let reason: ChildProcessError.Reason
    switch unsafe child.read(reading.rawValue, into: buffer, timeout: timeout) {
    case .complete(let count):
      try child.requireSuccess()
      return body(unsafe UnsafeRawBufferPointer(buffer).bytes.extracting(first: count))
    case .timedOut: reason = .timedOut(limit: DurationText.format(timeout))
    case .tooMuch: reason = .tooMuchOutput(limit: limit)
    case .failed(let failure): reason = .system(call: failure.call, failure.number)
    }
    child.send(SIGKILL)
    _ = try? child.wait()
    throw ChildProcessError(program: child.program, reason: reason)
  }

  private enum Reading {
    case complete(Int)
    case timedOut
    case tooMuch
    case failed(CallFailure)
  }

  private struct CallFailure: Error {
    let call: String
    let number: Errno
  }

  private func requireSuccess() throws(ChildProcessError) {
    switch try wait() {
    case .exited(0): break
    case .exited(let status):
      throw ChildProcessError(program: program, reason: .failed(status: status))
    case .killed(let signal):
      throw ChildProcessError(program: program, reason: .killed(signal: signal))
    }
  }

  private func read(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, timeout: Duration
  ) -> Reading {
    do {
      return try unsafe readUntilEnd(descriptor, into: buffer, timeout: timeout)
    } catch {
      return .failed(error)
    }
  }

  // Until the program has ended and its output is read. The end of the output alone does not
  // count, nor does it have to come: a child that was left behind may hold the pipe open.
  private func readUntilEnd(
    _ descriptor: Int32, into buffer: UnsafeMutableRawBufferPointer, timeout: Duration
  ) throws(CallFailure) -> Reading {
    let deadline = Deadline(after: timeout)
    let end: ProcessDescriptor
    do { end = try ProcessDescriptor(of: identifier) } catch {
      throw CallFailure(call: "pidfd_open", number: error)
    }
    var source = descriptor
    var count = 0
    var hasEnded = false
    while true {
      let rest = deadline.rest
      guard rest > .zero else { return .timedOut }
      let ready: [Readiness]
      do {
        ready = try waitForInput(
          [source, hasEnded ? -1 : end.rawDescriptor], timeout: hasEnded ? .zero : rest)
      } catch {
        throw CallFailure(call: "poll", number: error)
      }
      if !ready[0].isEmpty {
        let received: Int
        do {
          received = try retryingInterrupted {
            unsafe Glibc.read(
              descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
          }
        } catch {
          throw CallFailure(call: "read", number: error)
        }
        count += received
        if count == buffer.count { return .tooMuch }
        if received == 0 { source = -1 }
      } else if hasEnded {
        return .complete(count)
      }
      // Looked at once more after the end: the last bytes may have come between the two looks.
      if !ready[1].isEmpty { hasEnded = true }
    }
  }
}
