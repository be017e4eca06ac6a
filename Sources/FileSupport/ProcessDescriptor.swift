import CLinux

/// A descriptor of a child, readable once the child has ended (`pidfd_open(2)`).
package struct ProcessDescriptor: ~Copyable, Sendable {
  private let descriptor: FileDescriptor

  /// Opens the descriptor of a child that was not waited for yet.
  ///
  /// - Throws: the error number.
  package init(of process: Int32) throws(Errno) {
    let number = clinux_pidfd_open(process)
    guard number >= 0 else { throw .current }
    descriptor = FileDescriptor(owning: number)
  }

  /// The descriptor's number, readable once the child has ended.
  package var rawDescriptor: Int32 { descriptor.rawValue }
}
