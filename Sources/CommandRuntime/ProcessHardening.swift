import FileSupport
import Glibc

/// What a program that holds secrets does first, before it opens or starts anything.
package enum ProcessHardening {
  /// Closes the ways by which secrets leave a process unseen.
  ///
  /// No core dump and no tracing by other processes of the user (`RLIMIT_CORE`,
  /// `PR_SET_DUMPABLE`); no backtrace with registers and memory after a crash, unless
  /// `SWIFT_BACKTRACE` says what is wanted; new files for the owner alone (`umask`); no death by
  /// `SIGPIPE`; the numbers of closed standard streams taken; everything else that was inherited
  /// closed to children.
  ///
  /// - Returns: What could not be done, each a sentence for the log; the program may go on.
  package static func apply() -> [String] {
    StandardStream.holdClosed()
    _ = signal(SIGPIPE, SIG_IGN)
    if unsafe getenv("SWIFT_BACKTRACE") == nil { leaveCrashesToTheKernel() }
    umask(0o077)
    var problems: [String] = []
    // The hard limit stays, so that a command that is started may raise its own again.
    var limit = rlimit()
    unsafe _ = getrlimit(coreLimit, &limit)
    limit.rlim_cur = 0
    if unsafe setrlimit(coreLimit, &limit) != 0 {
      problems.append("core dumps could not be switched off: \(Errno.current)")
    }
    do {
      try ProcessLimits.forbidTracing()
    } catch {
      problems.append("tracing could not be forbidden: \(error)")
    }
    if (try? ProcessLimits.closeOnExecute(from: 3)) == nil { markInheritedDescriptors() }
    return problems
  }

  private static var coreLimit: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_CORE.rawValue) }

  // The runtime has taken these signals before main, and starts a program that prints a backtrace
  // and holds the crashed process for as long.
  private static func leaveCrashesToTheKernel() {
    for number in [SIGQUIT, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP] {
      _ = signal(number, SIG_DFL)
    }
  }

  // Kernels before 5.11 lack close_range with its flag.
  private static func markInheritedDescriptors() {
    var limit = rlimit()
    unsafe _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    for number in 3..<Int32(clamping: min(limit.rlim_cur, 65_536)) {
      let flags = fcntl(number, F_GETFD)
      if flags != -1 { _ = fcntl(number, F_SETFD, flags | FD_CLOEXEC) }
    }
  }
}
