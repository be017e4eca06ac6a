internal import Glibc

/// Symbolic links, read without following them.
package enum SymbolicLink {
  /// Returns what the link at `path` points to, or nil when it is no link.
  package static func target(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = unsafe readlink(path, &buffer, buffer.count)
    guard count > 0 else { return nil }
    return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
