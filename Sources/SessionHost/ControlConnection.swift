import FileSupport
import Glibc
import HostControl
import SessionModel
import Synchronization

/// One caller on the control socket: its request, the task that carries it out, its answers.
final class ControlConnection: Sendable {
  enum Received {
    case nothing
    case hungUp
    case refused(String)
    case request(ControlRequest)
  }

  private struct State {
    var frames = FrameBuffer()
    var task: Task<Void, Never>?
    var hasRequest = false
    // The caller is gone, or does not read: nothing is received or sent any more.
    var isHungUp = false
    var isDone = false
  }

  private let descriptor: FileDescriptor
  private let deadline: UInt64
  private let changed: @Sendable () -> Void
  private let state = Mutex(State())

  /// Takes over a connected socket.
  ///
  /// - Parameters:
  ///   - descriptor: the socket.
  ///   - deadline: until when the request must be there, on the boot clock, in nanoseconds.
  ///   - changed: called from any thread when the connection may be done.
  init(
    _ descriptor: consuming FileDescriptor, deadline: UInt64,
    changed: @escaping @Sendable () -> Void
  ) {
    // A caller that does not read must not hold up the host.
    var timeout = timeval(tv_sec: 2, tv_usec: 0)
    unsafe _ = setsockopt(
      descriptor.rawValue, SOL_SOCKET, SO_SNDTIMEO, &timeout,
      socklen_t(MemoryLayout<timeval>.size))
    self.descriptor = descriptor
    self.deadline = deadline
    self.changed = changed
  }

  /// The descriptor to wait on; negative once the caller is gone, which would be reported for ever.
  var polledDescriptor: Int32 { state.withLock { $0.isHungUp ? -1 : descriptor.rawValue } }

  /// Returns how long the caller may still take to send its request; nil once it has.
  func timeUntilDeadline(now: UInt64) -> Duration? {
    state.withLock { $0.hasRequest } ? nil : deadline.after(now)
  }

  /// Reads what has arrived.
  func receive() -> Received {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = unsafe recv(descriptor.rawValue, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count > 0 else {
      return count < 0 && (errno == EAGAIN || errno == EINTR) ? .nothing : .hungUp
    }
    return state.withLock { state in
      // One request a connection; whatever follows it is not read as another.
      guard !state.hasRequest else { return .nothing }
      state.frames.append(bytes[..<count])
      do {
        guard let frame = try state.frames.next() else { return .nothing }
        state.hasRequest = true
        return .request(try ControlRequest(frame: frame))
      } catch let error as FrameBuffer.Overflow {
        state.hasRequest = true
        return .refused(error.description)
      } catch let error as ControlMessageError {
        return .refused(error.description)
      } catch {
        return .refused("the request cannot be read")
      }
    }
  }

  /// Carries out the request in a task of its own.
  func perform(_ request: ControlRequest, by handler: @escaping ControlServer.Handler) {
    let task = Task {
      await handler(request) { self.send($0) }
      self.end()
    }
    let isHungUp = state.withLock { state in
      state.task = task
      return state.isHungUp
    }
    if isHungUp { task.cancel() }
  }

  /// Sends one event and hangs up.
  func finish(with event: ControlEvent) {
    send(event)
    end()
  }

  /// Cancels the task, because the caller is gone, does not read, or the host stops.
  func hangUp() {
    let task = state.withLock { state in
      state.hasRequest = true
      state.isHungUp = true
      if state.task == nil { state.isDone = true }
      return state.task
    }
    task?.cancel()
    _ = shutdown(descriptor.rawValue, Int32(SHUT_RDWR))
  }

  /// Whether the connection is done or has waited for its request for too long.
  func endIfDone(now: UInt64) -> Bool {
    let (isDone, isLate) = state.withLock { ($0.isDone, !$0.hasRequest && now >= deadline) }
    if isLate {
      let limit = DurationText.format(ControlServer.requestDeadline)
      finish(with: .failed(.badRequest, message: "no request came within \(limit)"))
    }
    return isDone || isLate
  }

  private func send(_ event: ControlEvent) {
    guard state.withLock({ !$0.isHungUp }) else { return }
    let bytes = event.encoded()
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { buffer in
        unsafe Glibc.send(
          descriptor.rawValue, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
          Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        // Half an event would spoil the next one, and each further one would wait as long.
        hangUp()
        changed()
        return
      }
      sent += count
    }
  }

  private func end() {
    state.withLock { $0.isDone = true }
    _ = shutdown(descriptor.rawValue, Int32(SHUT_RDWR))
    changed()
  }
}
