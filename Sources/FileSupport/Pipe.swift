import CLinux

/// The two ends of a pipe, both close-on-exec (`pipe2(2)`).
package struct Pipe: ~Copyable, Sendable {
  /// The end to read from.
  package let reading: FileDescriptor
  /// The end to write to.
  package let writing: FileDescriptor

  /// Makes a pipe.
  ///
  /// - Throws: the error number.
  package init() throws(Errno) {
    var ends: [Int32] = [-1, -1]
    guard unsafe clinux_pipe(&ends) == 0 else { throw .current }
    reading = FileDescriptor(owning: ends[0])
    writing = FileDescriptor(owning: ends[1])
  }

  /// Closes the writing end and gives the other away, so that the end of the data can be seen.
  package consuming func takeReadingEnd() -> FileDescriptor { reading }
}
