import FileSupport
import Glibc

/// A directory of its own, 0700, that goes away with everything in it.
final class TemporaryTree: Sendable {
  /// The directory's path.
  let path: String

  /// Makes one below `$TMPDIR` or `/tmp` (`mkdtemp(3)`).
  ///
  /// - Throws: `SimulationError`.
  init() throws(SimulationError) {
    let root = Environment.process(["TMPDIR"]).absolutePath("TMPDIR") ?? "/tmp"
    var template = Array("\(root)/tokenvault-simulation.XXXXXX".utf8CString)
    let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start) else { return nil }
      return unsafe String(cString: made)
    }
    guard let made else { throw .storage("\(root): mkdtemp: \(Errno.current)") }
    path = made
  }

  deinit { Self.remove(path) }

  // What is a link is removed itself; what it leads to is not ours.
  private static func remove(_ path: String) {
    if unsafe unlink(path) == 0 { return }
    if let directory = try? Directory.open(path: path, policy: .ownerOnly),
      let names = try? directory.names()
    {
      for name in names { remove(path + "/" + name) }
    }
    unsafe _ = rmdir(path)
  }
}
