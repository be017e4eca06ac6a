package import FileSupport
import Glibc

/// One connection to the host's control socket; it blocks, and ends when its owner does.
///
/// Blocking on purpose: the static command starts no runtime for concurrency. Closing the
/// connection, by giving the client up or by ending the process, cancels a sign-in.
package struct ControlClient: ~Copyable, Sendable {
  /// The socket's name in the runtime directory.
  package static let socketName = "host.sock"

  private let descriptor: FileDescriptor
  private let timeout: Duration
  private var buffer = FrameBuffer()

  /// Connects to the host of a runtime directory.
  ///
  /// - Parameters:
  ///   - directory: the runtime directory.
  ///   - timeout: how long connecting, and later sending a request, may take.
  /// - Throws: `ControlError`.
  package init(in directory: Directory, timeout: Duration = .seconds(3)) throws(ControlError) {
    self.timeout = timeout
    do {
      descriptor = try UnixSocket.connect(Self.socketName, in: directory, timeout: timeout)
    } catch {
      switch error.errno?.rawValue {
      case ENOENT, ECONNREFUSED, ENOTSOCK:
        throw .unreachable(path: directory.path + "/" + Self.socketName)
      case EAGAIN: throw .timedOut(after: timeout)
      default: throw .file(error)
      }
    }
  }

  /// Asks the host of a runtime directory and waits for its answer of one event.
  ///
  /// A renewal for a validity is refused as `rate-limited` only while the host has too many callers:
  /// then it is asked again, ten times a second.
  /// - Parameters:
  ///   - request: the request.
  ///   - directory: the runtime directory.
  ///   - limit: how long all of it may take: connecting, sending and waiting.
  ///   - now: the boot clock, in nanoseconds.
  /// - Returns: the event.
  /// - Throws: `ControlError`.
  package static func answer(
    to request: ControlRequest, in directory: Directory, within limit: Duration,
    now: () -> UInt64
  ) throws(ControlError) -> ControlEvent {
    let deadline = Deadline(after: limit, from: now())
    let pause = Duration.milliseconds(100)
    do throws(ControlError) {
      while true {
        var client = try ControlClient(in: directory, timeout: deadline.rest(at: now()))
        try client.send(request, within: deadline.rest(at: now()))
        let event = try client.nextEvent(timeout: deadline.rest(at: now()))
        guard case .failed(.rateLimited, _) = event, case .renew(_, .some) = request,
          deadline.rest(at: now()) > pause
        else { return event }
        _ = poll(nil, 0, pollMilliseconds(pause))
      }
    } catch {
      if case .timedOut = error { throw .timedOut(after: limit) }
      throw error
    }
  }

  /// Sends a request.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - limit: how long that may take; nil for as long as connecting may.
  /// - Throws: `ControlError`; `malformed` and `timedOut` before anything was sent, or in the middle
  ///   of the frame, which the host does not act on.
  package borrowing func send(
    _ request: ControlRequest, within limit: Duration? = nil
  ) throws(ControlError) {
    let limit = limit ?? timeout
    let deadline = Deadline(after: limit)
    let frame = request.encoded()
    guard frame.count <= FrameBuffer.limit else {
      throw .malformed("the request is longer than \(FrameBuffer.limit) bytes")
    }
    var sent = 0
    while sent < frame.count {
      guard deadline.rest > .zero else { throw .timedOut(after: limit) }
      do {
        sent += try retryingInterrupted {
          unsafe frame.withUnsafeBytes { bytes in
            // MSG_NOSIGNAL: a host that has gone is an error and not the end of this process.
            unsafe Glibc.send(
              descriptor.rawValue, bytes.baseAddress?.advanced(by: sent), bytes.count - sent,
              Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
          }
        }
      } catch {
        switch error.rawValue {
        case EPIPE, ECONNRESET: return
        case EAGAIN: try waitUntilWritable(deadline.rest)
        default: throw .connection(call: "send", error)
        }
      }
    }
  }

  private borrowing func waitUntilWritable(_ limit: Duration) throws(ControlError) {
    do {
      _ = try waitUntilReady([PollSource(descriptor.rawValue, for: .writable)], timeout: limit)
    } catch {
      throw .connection(call: "poll", error)
    }
  }

  /// Waits for the next event of the answer.
  ///
  /// - Parameters:
  ///   - timeout: how long to wait at most; nil waits for as long as the host lives.
  ///   - interrupter: a descriptor that ends the wait when it becomes readable; negative for none.
  /// - Returns: the event; `isLast` says whether more follow.
  /// - Throws: `ControlError`.
  package mutating func nextEvent(
    timeout: Duration?, interrupter: Int32 = -1
  ) throws(ControlError) -> ControlEvent {
    let deadline = timeout.map { Deadline(after: $0) }
    while true {
      if let event = try bufferedEvent() { return event }
      let rest = deadline?.rest
      if let timeout, rest == .zero { throw .timedOut(after: timeout) }
      let readiness: [Readiness]
      do {
        readiness = try waitForInput([descriptor.rawValue, interrupter], timeout: rest)
      } catch {
        throw .connection(call: "poll", error)
      }
      if !readiness[1].isEmpty { throw .interrupted }
      if !readiness[0].isEmpty { try receive() }
    }
  }

  private mutating func bufferedEvent() throws(ControlError) -> ControlEvent? {
    do {
      guard let frame = try buffer.next() else { return nil }
      return try ControlEvent(frame: frame)
    } catch let error as FrameBuffer.Overflow {
      throw .malformed("the host's answer cannot be read: \(error)")
    } catch let error as ControlMessageError {
      throw .malformed(error.description)
    } catch {
      throw .malformed("the host's answer cannot be read")
    }
  }

  private mutating func receive() throws(ControlError) {
    var chunk = [UInt8](repeating: 0, count: 4096)
    let count: Int
    do {
      count = try retryingInterrupted {
        unsafe recv(descriptor.rawValue, &chunk, chunk.count, Int32(MSG_DONTWAIT))
      }
    } catch {
      if error.rawValue == EAGAIN { return }
      if error.rawValue == ECONNRESET { throw .closed }
      throw .connection(call: "recv", error)
    }
    guard count > 0 else { throw .closed }
    buffer.append(chunk[..<count])
  }
}
