import FileSupport
import Glibc

/// The kernel's list of mounts, whose changes `poll(2)` reports as `POLLPRI` (`proc(5)`).
///
/// inotify says nothing when something is mounted over a watched directory.
struct MountTable: ~Copyable {
  private let descriptor: FileDescriptor

  /// The descriptor to poll; -1 where there is no `/proc`.
  var rawDescriptor: Int32 { descriptor.rawValue }

  /// Opens the list of the thread's own namespace, which may be another than the process's.
  init() {
    descriptor = FileDescriptor(
      owning: unsafe open("/proc/thread-self/mountinfo", O_RDONLY | O_CLOEXEC))
  }
}
