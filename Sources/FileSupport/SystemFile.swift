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

/// Reads where a link of the system's leads (`readlink(2)`), such as one of `/proc/self`.
///
/// - Parameter path: the link's path.
/// - Returns: the path or the name that it leads to; nil where that cannot be read.
package func readSystemLink(_ path: String) -> String? {
  var target = [UInt8](repeating: 0, count: Int(PATH_MAX))
  let length = unsafe target.withUnsafeMutableBytes { bytes in
    let buffer = unsafe bytes.bindMemory(to: CChar.self)
    guard let start = buffer.baseAddress else { return 0 }
    return unsafe readlink(path, start, buffer.count)
  }
  return length > 0 ? String(decoding: target[..<length], as: UTF8.self) : nil
}
