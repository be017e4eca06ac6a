internal import Glibc

/// What a thread has in common with the others of its process, and need not have (`unshare(2)`).
package enum ThreadSharing {
  // From linux/sched.h, as the C library's headers hide these and the call from Swift.
  package static let mounts: Int32 = 0x2_0000
  package static let workingDirectory: Int32 = 0x200
  package static let descriptors: Int32 = 0x400

  /// Gives the calling thread a copy of its own, which no other thread sees change.
  ///
  /// With `descriptors` no other thread can take a number that this one has closed.
  ///
  /// - Throws: the call that failed.
  package static func end(_ what: Int32) throws(SystemCallError) {
    let call = unsafe unsafeBitCast(
      try address(of: "unshare"), to: (@convention(c) (Int32) -> Int32).self)
    guard call(what) == 0 else { throw SystemCallError("unshare", "\(what)") }
  }

  /// Enters the namespace of a descriptor (`setns(2)`).
  ///
  /// - Throws: the call that failed.
  package static func enter(_ descriptor: Int32, _ kind: Int32) throws(SystemCallError) {
    let call = unsafe unsafeBitCast(
      try address(of: "setns"), to: (@convention(c) (Int32, Int32) -> Int32).self)
    guard call(descriptor, kind) == 0 else { throw SystemCallError("setns", "\(descriptor)") }
  }

  private static func address(
    of name: String
  ) throws(SystemCallError) -> UnsafeMutableRawPointer {
    guard let address = unsafe dlsym(dlopen(nil, RTLD_NOW), name) else {
      throw SystemCallError("dlsym", name, ENOSYS)
    }
    return unsafe address
  }
}
