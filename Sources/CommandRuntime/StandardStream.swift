package import FileSupport
import Glibc

/// Standard output or standard error, without a buffer: one record, one `write(2)`.
package struct StandardStream: Sendable {
  /// Where the answer goes, and nothing else.
  package static let output = StandardStream(descriptor: STDOUT_FILENO)
  /// Where everything else goes.
  package static let error = StandardStream(descriptor: STDERR_FILENO)

  /// The number of the descriptor.
  package let descriptor: Int32

  /// Makes a stream of an open descriptor.
  ///
  /// - Parameter descriptor: The descriptor's number; it stays the caller's.
  package init(descriptor: Int32) {
    self.descriptor = descriptor
  }

  /// Takes the numbers of those standard streams that were closed when the program was started.
  ///
  /// Else a socket or a watch would be opened there, and an answer be written into it. Writing to
  /// one fails as it did before (`EBADF`), and an executed program finds it closed.
  package static func holdClosed() {
    for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) == -1 {
      // The lowest number that is free is this one.
      let unusable = number == STDIN_FILENO ? O_WRONLY : O_RDONLY
      _ = unsafe open("/dev/null", unusable | O_CLOEXEC)
    }
  }

  /// Writes a text as one record.
  ///
  /// - Parameter text: The text with its line end.
  /// - Throws: The error number; `EPIPE` when the reader is gone.
  package func write(_ text: String) throws(Errno) {
    try unsafe write(text.utf8Span.span.bytes)
  }

  /// Writes bytes as one record, with a line end behind them in the same call (`writev(2)`).
  ///
  /// - Parameters:
  ///   - record: The bytes, borrowed from wherever they are kept.
  ///   - endsLine: Whether a line end follows.
  /// - Throws: The error number; `EPIPE` when the reader is gone.
  package func write(_ record: RawSpan, endsLine: Bool = false) throws(Errno) {
    let length = record.byteCount + (endsLine ? 1 : 0)
    var written = 0
    while written < length {
      let count = unsafe record.withUnsafeBytes { bytes in
        unsafe writeOnce(bytes, lineEnd: endsLine, from: written)
      }
      if count >= 0 {
        written += count
      } else {
        try waitAfterFailure()
      }
    }
  }

  private func writeOnce(
    _ bytes: UnsafeRawBufferPointer, lineEnd: Bool, from offset: Int
  ) -> Int {
    var end: UInt8 = 0x0A
    return unsafe withUnsafeMutableBytes(of: &end) { line in
      let done = min(offset, bytes.count)
      var parts = unsafe [
        iovec(
          iov_base: UnsafeMutableRawPointer(mutating: bytes.baseAddress?.advanced(by: done)),
          iov_len: bytes.count - done),
        iovec(iov_base: line.baseAddress, iov_len: lineEnd ? 1 : 0),
      ]
      return unsafe writev(descriptor, &parts, 2)
    }
  }

  // A terminal that another program made non-blocking must not lose half a record.
  private func waitAfterFailure() throws(Errno) {
    let cause = Errno.current
    if cause.rawValue == EINTR { return }
    guard cause.rawValue == EAGAIN else { throw cause }
    var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    unsafe _ = poll(&entry, 1, -1)
  }
}
