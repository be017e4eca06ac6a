import CLinux
import Glibc

/// Limits that a process sets on itself (`prctl(2)`, `mallopt(3)`).
package enum ProcessLimits {
  /// Keeps other processes of the same user from tracing this one or reading its memory.
  ///
  /// - Throws: the error number of `PR_SET_DUMPABLE`.
  package static func forbidTracing() throws(Errno) {
    guard clinux_set_dumpable(0) == 0 else { throw .current }
  }

  /// Keeps children from inheriting descriptors that this process itself inherited (`close_range`).
  ///
  /// - Parameter first: the lowest number to mark close-on-exec.
  /// - Throws: the error number; `ENOSYS` or `EINVAL` on kernels before 5.11.
  package static func closeOnExecute(from first: Int32) throws(Errno) {
    guard clinux_close_on_exec_from(UInt32(first)) == 0 else { throw .current }
  }

  /// Lets all threads share this many heaps, which keeps the memory of a process at rest small.
  package static func limitHeaps(_ count: Int32) {
    clinux_limit_malloc_arenas(count)
  }

  /// Gives unused heap memory back to the system (`malloc_trim(3)`).
  package static func trimHeap() {
    clinux_trim_heap()
  }
}
