import CLinux
import Glibc

/// A thread for calls that block, so that none of the few threads of the tasks is held.
package enum DedicatedThread {
  private final class Work: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Starts a detached thread with a small stack (`pthread_create(3)`), every signal blocked.
  ///
  /// Signals are for the program's own threads, and a write to a closed connection raises none.
  /// - Parameters:
  ///   - name: what `ps -T` shows, cut after 15 bytes.
  ///   - stackSize: the bytes of its stack.
  ///   - body: what it does; the thread ends with it.
  /// - Throws: the error number.
  package static func start(
    _ name: String, stackSize: Int = 256 << 10, _ body: @escaping @Sendable () -> Void
  ) throws(Errno) {
    var attributes = pthread_attr_t()
    unsafe pthread_attr_init(&attributes)
    defer { unsafe _ = pthread_attr_destroy(&attributes) }
    unsafe pthread_attr_setstacksize(&attributes, stackSize)
    unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    // A new thread inherits the mask of this one.
    var (all, old) = (sigset_t(), sigset_t())
    unsafe sigfillset(&all)
    unsafe pthread_sigmask(SIG_SETMASK, &all, &old)
    defer { unsafe pthread_sigmask(SIG_SETMASK, &old, nil) }
    let work = unsafe Unmanaged.passRetained(
      Work {
        unsafe clinux_name_thread(name)
        body()
      })
    var thread = pthread_t()
    let failure = unsafe pthread_create(
      &thread, &attributes,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    guard failure == 0 else {
      unsafe work.release()
      throw Errno(rawValue: failure)
    }
  }
}
