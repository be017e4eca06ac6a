import CommandRuntime
import FileSupport
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ChildProcessTests {
  private func output(
    of command: [String], limit: Int = 1000, timeout: Duration = .seconds(30)
  ) async throws -> String {
    try await TestThread.run {
      try ChildProcess.withOutput(of: command, limit: limit, timeout: timeout) { span in
        unsafe span.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
      }
    }
  }

  @Test func lendsWhatACommandPrints() async throws {
    #expect(try await output(of: ["printf", "%s|", "a b", "$HOME;`id`"]) == "a b|$HOME;`id`|")
    #expect(try await output(of: ["printf", "12345"], limit: 5) == "12345")
    #expect(try await output(of: ["true"]) == "")
    #expect(try await output(of: ["cat"]) == "", "standard input is empty")
  }

  @Test(arguments: [
    ([], 1000, "no program is named"),
    (
      ["tokenvault-no-such-program", "hunter2"], 1000,
      "tokenvault-no-such-program: not found in PATH; install it or give its whole path"
    ),
    (["/nonexistent/program"], 1000, "/nonexistent/program: no such program"),
    (["/etc/passwd"], 1000, "/etc/passwd: cannot be executed: Permission denied (EACCES)"),
    (["sh", "-c", "printf hunter2; exit 3"], 1000, "sh: ended with status 3"),
    (["sh", "-c", "kill -9 $$"], 1000, "sh: was ended by signal 9"),
    (["printf", "123456"], 5, "printf: was killed: it printed more than 5 bytes"),
    (["yes"], 5, "yes: was killed: it printed more than 5 bytes"),
  ])
  func saysWhyThereIsNoOutput(command: [String], limit: Int, text: String) async {
    let error = await #expect(throws: ChildProcessError.self) {
      try await output(of: command, limit: limit)
    }
    #expect(error?.description == text)
  }

  @Test func killsWhatTakesTooLongWithItsChildren() async throws {
    let error = await #expect(throws: ChildProcessError.self) {
      try await output(of: ["sh", "-c", "sleep 1000 & sleep 1000"], timeout: .milliseconds(50))
    }
    #expect(error?.description == "sh: was killed: it took longer than 50ms")
  }

  // In a process of its own, as it sends itself signals.
  @Test func aSignalDuringTheWaitEndsNoProgram() async {
    await #expect(processExitsWith: .success) {
      let ends = try Pipe()
      // The handler knows the number alone: the program goes on to its end as the signals come.
      try #require(dup2(ends.writing.rawValue, 900) == 900)
      signal(SIGALRM) { _ in
        var line = UInt8(ascii: "\n")
        unsafe _ = write(900, &line, 1)
      }
      let child = try ChildProcess(
        ["sh", "-c", "read line; read line; read line; exit 7"],
        input: .descriptor(ends.reading.rawValue))
      // To this thread, which does not take them by itself: another would take what is for all.
      var signals = sigset_t()
      unsafe sigemptyset(&signals)
      unsafe sigaddset(&signals, SIGALRM)
      unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
      var event = unsafe sigevent()
      unsafe event.sigev_notify = Int32(SIGEV_THREAD_ID)
      unsafe event.sigev_signo = SIGALRM
      let thread = SymbolicLink.target("/proc/thread-self")?.split(separator: "/").last
      unsafe event._sigev_un._tid = try #require(thread.flatMap { Int32($0) })
      var timer: timer_t?
      try #require(unsafe timer_create(CLOCK_MONOTONIC, &event, &timer) == 0)
      let pause = timespec(tv_sec: 0, tv_nsec: 20_000_000)
      var times = itimerspec(it_interval: pause, it_value: pause)
      try #require(unsafe timer_settime(timer, 0, &times, nil) == 0)
      try #require(try child.wait(within: .seconds(30)) == .exited(7))
    }
  }

  @Test func doesNotWaitForWhatACommandLeavesBehind() async throws {
    let text = try await output(
      of: ["sh", "-c", "sleep 5 & printf \"$!\""], timeout: .seconds(4))
    let left = try #require(Int32(text))
    kill(left, SIGKILL)
  }

  @Test func startsWithoutOurSignalsAndDescriptors() async throws {
    let state = try await TestThread.run {
      _ = signal(SIGPIPE, SIG_IGN)
      var blocked = sigset_t()
      unsafe sigemptyset(&blocked)
      unsafe sigaddset(&blocked, SIGUSR1)
      unsafe pthread_sigmask(SIG_BLOCK, &blocked, nil)
      return try ChildProcess.withOutput(
        of: ["cat", "/proc/self/status"], limit: 10_000, timeout: .seconds(30)
      ) { span in
        unsafe span.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
      }
    }
    #expect(state.contains("SigBlk:\t0000000000000000"))
    // glibc's posix_spawn(3) leaves its two internal signals, 32 and 33, ignored.
    #expect(state.contains("SigIgn:\t0000000180000000"))
  }

  @Test func givesItsOwnEnvironmentAndStatus() async throws {
    let ending = try await TestThread.run {
      try ChildProcess(
        ["sh", "-c", "exit \"$CODE\""], environment: .init(["CODE": "42"]), group: .ours
      ).wait()
    }
    #expect(ending == .exited(42))
  }

  @Test(arguments: [
    (ChildProcessError.Reason.notFound, ExitCode.notFound),
    (.notExecutable(Errno(rawValue: EACCES)), .notExecutable), (.noCommand, .runFailed),
    (.system(call: "posix_spawn", Errno(rawValue: ENOMEM)), .runFailed),
  ])
  func endsRunAsShellsDo(reason: ChildProcessError.Reason, code: ExitCode) {
    #expect(ChildProcessError(program: "x", reason: reason).exitCode == code)
  }
}
