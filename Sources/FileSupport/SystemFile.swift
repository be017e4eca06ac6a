import Glibc

/// Reads a whole file of the system's, such as one of `/proc`, which has no length of its own.
///
/// - Parameters:
///   - path: the file's path.
///   - limit: the greatest number of bytes that is accepted.
/// - Returns: its bytes.
/// - Throws: `FileError`.
package func readSystemFile(_ path: String, limit: Int) throws(FileError) -> [UInt8] {
  let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
  guard number >= 0 else { throw .system(call: "open", path: path, .current) }
  let descriptor = FileDescriptor(owning: number)
  return try readToEnd(of: descriptor.rawValue, limit: limit, path: path)
}
