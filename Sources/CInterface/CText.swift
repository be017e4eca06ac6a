import Glibc

/// Texts on C's heap, which C frees.
enum CText {
  /// Copies a text; nil for one that C cannot hold because a NUL byte is in it.
  static func copy(_ text: String) -> UnsafeMutablePointer<CChar>? {
    guard !text.utf8.contains(0) else { return nil }
    let copy = unsafe text.withCString { unsafe strdup($0) }
    guard let copy = unsafe copy else { fatalError("no memory is left for a text") }
    return unsafe copy
  }

  /// Overwrites a text and frees it.
  static func erase(_ text: UnsafeMutablePointer<CChar>?) {
    guard let text = unsafe text else { return }
    unsafe explicit_bzero(text, strlen(text))
    unsafe free(text)
  }

  /// Reads a name that a caller has given; nil for what is not UTF-8.
  static func name(_ text: UnsafePointer<CChar>?, default name: String) -> String? {
    guard let text = unsafe text else { return name }
    return unsafe String(validatingCString: text)
  }
}
