import TestSupport

/// Threads of this process that are waiting in libcurl.
enum TransferThreads {
  /// The number of threads with the transfer's small stack.
  static var count: Int {
    TestFile.names(in: "/proc/self/task").count { name in
      // One that has ended meanwhile has no name any more.
      (try? TestFile.text("/proc/self/task/\(name)/comm"))?.hasPrefix("tv-transfer") == true
    }
  }
}
