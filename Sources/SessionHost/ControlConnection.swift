import FileSupport
import Glibc
import HostControl
import SessionModel
import Synchronization

/// One caller on the control socket: its request, the task that carries it out, its answers.
///
/// Nothing here ever waits for the caller: what it does not take is kept for it, and the server's
/// thread writes on as the caller reads.
final class ControlConnection: Sendable {
  enum Received {
    case nothing
    case hungUp
    case refused(String)
    case request(ControlRequest)
  }

  private struct State {
    var frames = FrameBuffer()
    var outgoing: [UInt8] = []
    var task: Task<Void, Never>?
    var hasRequest = false
    var sharesRenewal = false
    // The caller is gone, or does not read: nothing is received or sent any more.
    var isHungUp = false
    var isDone = false
    // Until when the caller has to send its request, later to read on, on the boot clock.
    var deadline: UInt64
  }

  /// How many bytes are kept for a caller who reads slowly.
  private static let outgoingLimit = 1 << 20

  private let descriptor: FileDescriptor
  private let changed: @Sendable () -> Void
  private let state: Mutex<State>

  /// Takes over a connected socket.
  ///
  /// - Parameters:
  ///   - descriptor: the socket.
  ///   - changed: called from any thread when the server has to look at the connection.
  init(_ descriptor: consuming FileDescriptor, changed: @escaping @Sendable () -> Void) {
    self.descriptor = descriptor
    self.changed = changed
    state = Mutex(State(deadline: ControlServer.newDeadline()))
  }

  /// The descriptor to wait on; negative once the caller is gone.
  var polledDescriptor: Int32 { state.withLock { $0.isHungUp ? -1 : descriptor.rawValue } }

  /// Whether the caller waits for a renewal.
  var sharesRenewal: Bool { state.withLock { $0.sharesRenewal && !$0.isDone } }

  /// What to wait for.
  var interest: Readiness {
    state.withLock { $0.outgoing.isEmpty ? .readable : [.readable, .writable] }
  }

  /// Returns how long the caller may still take for what it has to do; nil when that is nothing.
  func timeUntilDeadline(now: UInt64) -> Duration? {
    state.withLock { state in
      guard !state.isHungUp, !state.hasRequest || !state.outgoing.isEmpty else { return nil }
      return state.deadline.after(now)
    }
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
      state.sharesRenewal = request.sharesRenewal
      return state.isHungUp
    }
    if isHungUp { task.cancel() }
  }

  /// Sends one event and hangs up.
  func finish(with event: ControlEvent) {
    send(event)
    end()
  }

  /// Tells a caller who still waits that the host is stopping, and hangs up.
  func dismiss() {
    if state.withLock({ $0.hasRequest && !$0.isDone }) {
      send(.failed(.stopping, message: "the host is stopping"))
    }
    hangUp()
  }

  /// Writes what is kept for the caller, as far as it takes it.
  func flush() {
    if state.withLock({ write(&$0) }) { hangUp() }
  }

  /// Cancels the task, because the caller is gone, does not read, or the host stops.
  func hangUp() {
    let task = state.withLock { state in
      state.hasRequest = true
      state.isHungUp = true
      state.outgoing = []
      if state.task == nil { state.isDone = true }
      return state.task
    }
    task?.cancel()
    _ = shutdown(descriptor.rawValue, Int32(SHUT_RDWR))
  }

  /// Ends what has taken too long, and tells whether the connection is over.
  ///
  /// It is when the caller is gone, too: the task that was called off keeps itself alive.
  func isOver(now: UInt64) -> Bool {
    let (isLate, hasRequest) = state.withLock { state in
      let isWaiting = !state.hasRequest || !state.outgoing.isEmpty
      return (isWaiting && !state.isHungUp && now >= state.deadline, state.hasRequest)
    }
    if isLate, hasRequest {
      hangUp()
    } else if isLate {
      state.withLock { $0.hasRequest = true }
      let limit = DurationText.format(ControlServer.deadline)
      finish(with: .failed(.badRequest, message: "no request came within \(limit)"))
    }
    guard state.withLock({ $0.isHungUp || $0.isDone && $0.outgoing.isEmpty }) else { return false }
    _ = shutdown(descriptor.rawValue, Int32(SHUT_RDWR))
    return true
  }

  private func send(_ event: ControlEvent) {
    let bytes = event.encoded()
    let isLost = state.withLock { state in
      guard !state.isHungUp else { return false }
      if state.outgoing.isEmpty { state.deadline = ControlServer.newDeadline() }
      state.outgoing += bytes
      return write(&state) || state.outgoing.count > ControlConnection.outgoingLimit
    }
    if isLost { hangUp() }
    changed()
  }

  private func end() {
    state.withLock { $0.isDone = true }
    changed()
  }

  // Returns whether the caller is gone.
  private func write(_ state: inout State) -> Bool {
    var sent = 0
    defer { state.outgoing.removeFirst(sent) }
    while sent < state.outgoing.count {
      let count = unsafe state.outgoing.withUnsafeBytes { buffer in
        unsafe Glibc.send(
          descriptor.rawValue, buffer.baseAddress?.advanced(by: sent), buffer.count - sent,
          Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
      }
      if count > 0 {
        sent += count
        state.deadline = ControlServer.newDeadline()
      } else if errno == EAGAIN {
        return false
      } else if errno != EINTR {
        return true
      }
    }
    return false
  }
}
