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

/// Lists the names in a directory of the system's, such as `/proc` (`readdir(3)`).
///
/// - Parameter path: the directory's path.
/// - Returns: the names in no order, as far as they can be read, `.` and `..` among them.
package func systemDirectoryNames(_ path: String) -> [String] {
  guard let stream = unsafe opendir(path) else { return [] }
  defer { unsafe closedir(stream) }
  var names: [String] = []
  while let entry = unsafe readdir(stream) {
    // In its place: an entry is shorter than its type, and a copy would read past the last one.
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
      unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    names.append(name)
  }
  return names
}
