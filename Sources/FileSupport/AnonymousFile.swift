import CLinux
import Glibc

/// A file in memory that has no name and ends with the last process that has it open.
package enum AnonymousFile {
  /// Makes a file that a program executed in this process's place inherits (`memfd_create(2)`).
  ///
  /// - Parameters:
  ///   - name: what `/proc` calls it, for people who look.
  ///   - bytes: its contents, readable by the owner alone.
  /// - Returns: the number of a descriptor for reading, which stays open across `execve(2)`. It has
  ///   no owner in this process: one would be done, and close it, before the program is executed.
  /// - Throws: `FileError`.
  package static func makeInherited(
    named name: String, holding bytes: [UInt8]
  ) throws(FileError) -> Int32 {
    let number = unsafe clinux_memory_file(name)
    guard number >= 0 else { throw .system(call: "memfd_create", path: name, .current) }
    let writing = FileDescriptor(owning: number)
    guard fchmod(number, 0o400) == 0 else {
      throw .system(call: "fchmod", path: name, .current)
    }
    do {
      try writing.writeAll(bytes)
    } catch {
      throw .system(call: "write", path: name, error)
    }
    // Opened once more, so that whoever inherits it can read from the start and not write.
    let path = "/proc/self/fd/\(number)"
    let reading = unsafe open(path, O_RDONLY)
    guard reading >= 0 else { throw .system(call: "open", path: path, .current) }
    return reading
  }
}
