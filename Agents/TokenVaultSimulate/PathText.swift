import Glibc

/// Paths as they are written on command lines.
enum PathText {
  /// A path from the root, as an environment variable has to hold one (`getcwd(3)`).
  static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let here = unsafe getcwd(nil, 0) else { return path }
    defer { unsafe free(here) }
    return unsafe String(cString: here) + "/" + path
  }

  /// A path that a shell takes as it is.
  static func shellQuoted(_ path: String) -> String {
    "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''")
      + "'"
  }
}
