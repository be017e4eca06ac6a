internal import Glibc
internal import Synchronization

/// A spawned program with one thread for its pipes and one that waits for its end.
final class ToolProcess: Sendable {
  private struct State {
    var isReaped = false
    var isTimedOut = false
    var exit = ToolExit.status(0)
  }

  let identifier: Int32
  let output: ToolOutput
  let error: ToolOutput
  let input: ToolInput
  let ended = Gate()
  private let doorbellReading: Int32
  private let doorbellWriting: Int32
  private let limit: Duration
  private let state = Mutex(State())

  init(_ request: ToolRequest) throws(SystemCallError) {
    let pipes = try Pipe.make(4)
    let (outputPipe, errorPipe, inputPipe, doorbell) = (pipes[0], pipes[1], pipes[2], pipes[3])
    defer {
      for descriptor in [inputPipe.reading, outputPipe.writing, errorPipe.writing] {
        close(descriptor)
      }
    }
    Pipe.makeNonblocking(doorbell.reading)
    (doorbellReading, doorbellWriting) = (doorbell.reading, doorbell.writing)
    limit = request.limit
    output = ToolOutput(descriptor: outputPipe.reading)
    error = ToolOutput(descriptor: errorPipe.reading)
    input = ToolInput(descriptor: inputPipe.writing, doorbell: doorbell.writing)
    identifier = try Self.spawn(
      request, standard: [inputPipe.reading, outputPipe.writing, errorPipe.writing])
    switch request.input {
    case .none: input.close()
    case .text(let text):
      input.append(Array(text.utf8))
      input.close()
    case .open: break
    }
    try TestThread.start("wait for \(request.program)") { self.reap() }
    try TestThread.start("pipes of \(request.program)") { self.pump() }
  }

  deinit {
    close(doorbellReading)
    close(doorbellWriting)
  }

  /// Sends a signal, unless the program is gone and its identifier may be another's.
  func send(_ signal: Int32) {
    state.withLock { state in
      if !state.isReaped { _ = kill(identifier, signal) }
    }
  }

  func result() async -> ToolResult {
    await ended.waitUncancelled()
    return state.withLock { state in
      ToolResult(
        exit: state.exit, isTimedOut: state.isTimedOut, outputBytes: output.bytes,
        errorBytes: error.bytes)
    }
  }

  /// Holds the thread until the program has ended.
  func waitForEnd() { ProcessTable.holdUntilEnd(ofChild: identifier) }

  private func reap() {
    // The identifier stays taken until the lock is held, so that send() can't miss.
    ProcessTable.holdUntilEnd(ofChild: identifier)
    state.withLock { state in
      var status: Int32 = 0
      _ = unsafe waitpid(identifier, &status, 0)
      let signal = status & 0x7F
      state.exit = signal == 0 ? .status((status >> 8) & 0xFF) : .signal(signal)
      state.isReaped = true
    }
    var byte: UInt8 = 1
    _ = unsafe write(doorbellWriting, &byte, 1)
  }

  private func pump() {
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    unsafe sigaddset(&blocked, SIGPIPE)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &blocked, nil)
    let deadline = ContinuousClock.now + limit
    // What the program wrote is in the pipes by the time it is reaped; a grandchild that keeps
    // them open is not waited for.
    while !state.withLock({ $0.isReaped }) {
      waitForWork(until: deadline)
      output.drain()
      error.drain()
      input.flush()
      if ContinuousClock.now >= deadline { expire() }
    }
    output.drain()
    error.drain()
    ended.open()
    output.finish()
    error.finish()
  }

  private func waitForWork(until deadline: ContinuousClock.Instant) {
    let isTimedOut = state.withLock { $0.isTimedOut }
    let rest = (deadline - ContinuousClock.now).components
    let wait = isTimedOut ? -1 : Int32(clamping: max(0, rest.seconds) * 1000 + 1)
    var polled = [
      pollfd(fd: doorbellReading, events: Int16(POLLIN), revents: 0),
      pollfd(fd: output.isClosed ? -1 : output.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: error.isClosed ? -1 : error.descriptor, events: Int16(POLLIN), revents: 0),
      pollfd(fd: input.waiting, events: Int16(POLLOUT), revents: 0),
    ]
    _ = unsafe poll(&polled, nfds_t(polled.count), wait)
    var bytes = [UInt8](repeating: 0, count: 64)
    while unsafe read(doorbellReading, &bytes, bytes.count) > 0 {}
  }

  private func expire() {
    let isFirst = state.withLock { state in
      defer { state.isTimedOut = true }
      return !state.isTimedOut && !state.isReaped
    }
    if isFirst { send(SIGKILL) }
  }

  private static func spawn(
    _ request: ToolRequest, standard: [Int32]
  ) throws(SystemCallError) -> Int32 {
    // The tests' threads block nearly every signal, and a program would inherit that. What is
    // ignored, as an interrupt is in the background of a script, a shell could not even trap.
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    var usual = none
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM] { unsafe sigaddset(&usual, signal) }
    unsafe posix_spawnattr_setsigdefault(&attributes, &usual)
    unsafe posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (target, descriptor) in standard.enumerated() {
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, Int32(target))
    }
    // Somebody may wait for the end of a pipe that was made without close-on-exec: a program that
    // inherits it and stays would keep that wait from ending.
    // posix_spawn_file_actions_addclosefrom_np(3) is not in the Glibc module.
    for name in TestFile.names(in: "/proc/self/fd") {
      guard let descriptor = Int32(name), descriptor > STDERR_FILENO else { continue }
      unsafe posix_spawn_file_actions_addclose(&actions, descriptor)
    }
    var words = [request.program] + request.arguments
    // posix_spawn_file_actions_addchdir_np(3) is not in the Glibc module.
    if let directory = request.directory { words = ["/usr/bin/env", "-C", directory] + words }
    var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
    var environment = unsafe request.environment.map { unsafe strdup("\($0)=\($1)") } + [nil]
    defer { unsafe (arguments + environment).forEach { unsafe free($0) } }
    var identifier: Int32 = 0
    let failure = Pipe.spawning.withLock { _ in
      unsafe posix_spawnp(&identifier, words[0], &actions, &attributes, &arguments, &environment)
    }
    guard failure == 0 else { throw SystemCallError("posix_spawnp", request.program, failure) }
    return identifier
  }
}
