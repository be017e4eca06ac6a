import CommandRuntime
import FileSupport
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ProcessReplacementTests {
  @Test func becomesAnotherProgramAsIfStartedInItsPlace() async {
    // The shell checks what it was given and says so by its status.
    await #expect(processExitsWith: .exitCode(42)) {
      _ = signal(SIGPIPE, SIG_IGN)
      _ = try SignalMonitor()
      let check = """
        [ "$TOKEN" = x ] || exit 1
        [ -z "$HOME" ] || exit 2
        grep -q 'SigBlk:.0000000000000000' /proc/self/status || exit 3
        grep -q 'SigIgn:.0000000[01][08]0000000' /proc/self/status || exit 4
        exit 42
        """
      try ChildProcess.replace(
        with: ["sh", "-c", check].map { Array($0.utf8) },
        environment: .init(["TOKEN": "x", "PATH": "/usr/bin:/bin"]))
    }
  }

  @Test func hardensTheProcess() async {
    await #expect(processExitsWith: .exitCode(0)) {
      // Else another thread of the test runner may take the number of the closed stream.
      try ThreadSharing.end(ThreadSharing.descriptors)
      close(STDIN_FILENO)
      let inherited = unsafe open("/dev/null", O_RDONLY)
      let other = dup(STDERR_FILENO)
      close(inherited)
      guard ProcessHardening.apply().isEmpty else { exit(1) }
      guard umask(0) == 0o077 else { exit(2) }
      var limit = rlimit()
      unsafe _ = getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
      guard limit.rlim_cur == 0 else { exit(3) }
      guard fcntl(STDIN_FILENO, F_GETFD) != -1 else { exit(4) }
      guard fcntl(other, F_GETFD) & FD_CLOEXEC != 0 else { exit(5) }
      // What is not dumpable belongs to root in /proc.
      var status = stat()
      guard unsafe stat("/proc/self/environ", &status) == 0, status.st_uid == 0 else { exit(6) }
      exit(0)
    }
  }

  @Test(
    arguments: [("tokenvault-no-such-program", 127), ("/etc/passwd", 126)] as [(String, Int32)])
  func saysWhyItCannot(program: String, code: Int32) {
    // The failing exec leaves this process as it is.
    let error = #expect(throws: ChildProcessError.self) {
      try ChildProcess.replace(with: [Array(program.utf8)], environment: .init([:]))
    }
    #expect(error?.exitCode.rawValue == code)
  }
}
