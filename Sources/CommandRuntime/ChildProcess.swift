package import FileSupport
import Glibc

/// Another program, started from a list of words: no shell ever reads them (`posix_spawnp(3)`).
///
/// It starts with no signal blocked or ignored and inherits the standard descriptors alone.
package struct ChildProcess: Sendable {
  /// What one standard descriptor of the program is.
  package enum Stream: Sendable, Equatable {
    /// The same as ours.
    case inherited
    /// `/dev/null`.
    case null
    /// An open descriptor of ours.
    case descriptor(Int32)
  }

  /// What a program stays together with.
  package enum Group: Sendable, Equatable {
    /// Our process group: Ctrl-C reaches it too.
    case ours
    /// A process group of its own, which can be killed as a whole.
    case own
    /// A session of its own: it outlives the terminal.
    case session
  }

  /// How a program ended.
  package enum Ending: Sendable, Equatable {
    /// It ended with a status.
    case exited(Int32)
    /// A signal ended it.
    case killed(Int32)
  }

  /// The program as it was named.
  package let program: String
  /// The process's number, valid until `wait` has returned.
  package let identifier: Int32
  private let group: Group

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - command: The program, found in `PATH` where it has no slash, and its arguments.
  ///   - environment: Its environment, nil for ours.
  ///   - input: Its standard input.
  ///   - output: Its standard output.
  ///   - error: Its standard error.
  ///   - group: What it stays together with.
  /// - Throws: `ChildProcessError`; a program that cannot be executed is known at once.
  package init(
    _ command: [String], environment: Environment? = nil, input: Stream = .null,
    output: Stream = .inherited, error: Stream = .inherited, group: Group = .own
  ) throws(ChildProcessError) {
    let program = command.first ?? ""
    guard !program.isEmpty else { throw ChildProcessError(program: "", reason: .noCommand) }
    var attributes = posix_spawnattr_t()
    unsafe posix_spawnattr_init(&attributes)
    defer { unsafe _ = posix_spawnattr_destroy(&attributes) }
    Self.set(&attributes, group: group)
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe _ = posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in [
      (STDIN_FILENO, input), (STDOUT_FILENO, output), (STDERR_FILENO, error),
    ] {
      unsafe Self.add(stream, as: number, to: &actions)
    }
    var identifier: pid_t = 0
    let words = CStringList(command)
    let failure: Int32
    if let environment {
      let entries = CStringList(environment.entries)
      failure = unsafe posix_spawnp(
        &identifier, program, &actions, &attributes, words.pointers, entries.pointers)
    } else {
      failure = unsafe posix_spawnp(
        &identifier, program, &actions, &attributes, words.pointers, environ)
    }
    guard failure == 0 else {
      throw ChildProcessError(program: program, reason: .starting(Errno(rawValue: failure)))
    }
    self.program = program
    self.identifier = identifier
    self.group = group
  }

  /// Waits for the end of the program and forgets it (`waitpid(2)`); to be called once.
  ///
  /// - Returns: How it ended.
  /// - Throws: `ChildProcessError` when there is nothing to wait for.
  package func wait() throws(ChildProcessError) -> Ending {
    var status: Int32 = 0
    do {
      try retryingInterrupted { unsafe waitpid(identifier, &status, 0) }
    } catch {
      throw ChildProcessError(program: program, reason: .system(call: "waitpid", error))
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited((status >> 8) & 0xFF) : .killed(signal)
  }

  /// Sends a signal to the program and, where it has a group of its own, to all of its children.
  ///
  /// - Parameter signal: The signal's number; 0 only looks whether there is any of them.
  /// - Returns: Whether there was any of them.
  @discardableResult
  package func send(_ signal: Int32) -> Bool {
    kill(group == .ours ? identifier : -identifier, signal) == 0
  }

  private static func set(_ attributes: inout posix_spawnattr_t, group: Group) {
    var none = sigset_t()
    unsafe sigemptyset(&none)
    unsafe posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    unsafe sigfillset(&all)
    unsafe posix_spawnattr_setsigdefault(&attributes, &all)
    var flags = Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    switch group {
    case .ours: break
    case .own: flags |= Int32(POSIX_SPAWN_SETPGROUP)
    // POSIX_SPAWN_SETSID of <spawn.h>, a GNU extension that the Glibc module leaves out.
    case .session: flags |= 0x80
    }
    unsafe posix_spawnattr_setflags(&attributes, Int16(flags))
  }

  private static func add(
    _ stream: Stream, as number: Int32, to actions: inout posix_spawn_file_actions_t
  ) {
    switch stream {
    case .inherited: break
    case .null:
      unsafe posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
    case .descriptor(let descriptor):
      unsafe posix_spawn_file_actions_adddup2(&actions, descriptor, number)
    }
  }
}

extension ChildProcessError.Reason {
  /// What an error number of `posix_spawn(3)` or `execve(2)` means.
  ///
  /// - Parameter number: The number.
  /// - Returns: `notFound` or `notExecutable`, or the failed call for what the system lacks.
  static func starting(_ number: Errno) -> Self {
    switch number.rawValue {
    case ENOENT, ENOTDIR: .notFound
    case ENOMEM, EAGAIN, EMFILE, ENFILE: .system(call: "posix_spawn", number)
    default: .notExecutable(number)
    }
  }
}
