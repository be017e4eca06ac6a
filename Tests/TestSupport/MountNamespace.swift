internal import Glibc

/// Mounts that nobody else sees: what is run in the namespace is on a thread that has it alone
/// (`mount_namespaces(7)`).
///
/// The mounts are gone with this value and the last such thread, whatever happens. A thread that
/// is started in the namespace is in it too, and so is a program.
package final class MountNamespace: Sendable {
  private let descriptor: Int32

  /// Makes a namespace with the mounts that there are.
  ///
  /// - Parameter other: whose mounts it has, if not the process's.
  /// - Throws: the call that failed; only root may make one.
  package init(copying other: MountNamespace? = nil) async throws {
    descriptor = try await other.in {
      try ThreadSharing.end(ThreadSharing.mounts)
      // Otherwise what is mounted here is mounted for the whole machine too.
      try Self.mount("none", "/", kind: nil, flags: UInt(MS_REC | MS_PRIVATE))
      let path = "/proc/thread-self/ns/mnt"
      let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { throw SystemCallError("open", path) }
      return descriptor
    }
  }

  deinit { close(descriptor) }

  /// Whether this user may mount what the tests mount, overlayfs among it.
  package static func isAvailable() async -> Bool {
    guard let namespace = try? await MountNamespace(), let directory = try? TemporaryDirectory()
    else { return false }
    return (try? await namespace.run { try mountOverlay(in: directory) }) != nil
  }

  /// Runs a blocking call on a thread in the namespace.
  ///
  /// - Throws: what `body` throws, or the call that keeps a thread out of the namespace.
  package func run<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) async throws -> Result {
    try await TestThread.run { [self] in
      // Who shares its working directory with others cannot change its mounts.
      try ThreadSharing.end(ThreadSharing.workingDirectory)
      try ThreadSharing.enter(descriptor, ThreadSharing.mounts)
      return try body()
    }
  }

  // MARK: In the namespace

  /// Mounts an empty file system in memory, for its owner alone.
  ///
  /// - Throws: the call that failed.
  package static func mountMemory(on path: String) throws(SystemCallError) {
    try mount("none", path, kind: "tmpfs", options: "mode=0700")
  }

  /// Mounts a directory at a second place.
  ///
  /// - Throws: the call that failed.
  package static func bind(_ source: String, on path: String) throws(SystemCallError) {
    try mount(source, path, kind: nil, flags: UInt(MS_BIND))
  }

  /// Mounts `merged` of a directory over `upper`, which is written to, and `lower`.
  ///
  /// - Throws: the call that failed.
  package static func mountOverlay(in directory: TemporaryDirectory) throws(SystemCallError) {
    for name in ["lower", "upper", "work", "merged"] { _ = try directory.makeDirectory(name) }
    let layers = ["lower", "upper", "work"].map { "\($0)dir=\(directory.file($0))" }
    try mount(
      "none", directory.file("merged"), kind: "overlay", options: layers.joined(separator: ","))
  }

  /// Changes nothing about a mount, for which the kernel lets go of all names that it remembers.
  ///
  /// - Throws: the call that failed.
  package static func refresh(_ path: String) throws(SystemCallError) {
    try mount("none", path, kind: nil, flags: UInt(MS_REMOUNT))
  }

  /// Unmounts what is in use as well (`umount -l`).
  ///
  /// - Throws: the call that failed.
  package static func detach(_ path: String) throws(SystemCallError) {
    guard unsafe umount2(path, Int32(MNT_DETACH)) == 0 else {
      throw SystemCallError("umount2", path)
    }
  }

  /// Unmounts what nobody uses (`umount`).
  ///
  /// - Throws: the call that failed, with `EBUSY` where a file is open.
  package static func unmount(_ path: String) throws(SystemCallError) {
    guard unsafe umount2(path, 0) == 0 else { throw SystemCallError("umount2", path) }
  }

  // MARK: Calls

  private static func mount(
    _ source: String, _ path: String, kind: String?, flags: UInt = 0, options: String? = nil
  ) throws(SystemCallError) {
    let done = unsafe options.withCString { options in
      unsafe kind.withCString { kind in unsafe Glibc.mount(source, path, kind, flags, options) }
    }
    guard done == 0 else { throw SystemCallError("mount", path) }
  }
}

extension MountNamespace? {
  fileprivate func `in`(_ body: @escaping @Sendable () throws -> Int32) async throws -> Int32 {
    guard let self else { return try await TestThread.run(body) }
    return try await self.run(body)
  }
}

extension String? {
  fileprivate func withCString<Result>(
    _ body: (UnsafePointer<CChar>?) -> Result
  ) -> Result {
    guard let self else { return body(nil) }
    return unsafe self.withCString { unsafe body($0) }
  }
}
