import Glibc

/// An open file descriptor with one owner, closed when that owner ends (`close(2)`).
package struct FileDescriptor: ~Copyable, Sendable {
  /// The number, to be lent to a system call and not kept.
  package let rawValue: Int32

  /// Takes over a descriptor that nobody else closes.
  package init(owning rawValue: Int32) {
    self.rawValue = rawValue
  }

  deinit {
    close(rawValue)
  }

  /// Closes the descriptor and reports what `close(2)` says, which is how a full disk shows.
  ///
  /// - Throws: the error number.
  package consuming func closeReporting() throws(Errno) {
    let number = rawValue
    discard self
    // Never repeated after EINTR: on Linux the descriptor is gone in either case.
    guard close(number) == 0 || errno == EINTR else { throw .current }
  }

  /// Gives the number away; the caller closes it.
  package consuming func release() -> Int32 {
    let number = rawValue
    discard self
    return number
  }

  /// Writes all bytes, however many calls it takes (`write(2)`).
  ///
  /// - Throws: the error number.
  package borrowing func writeAll(_ bytes: [UInt8]) throws(Errno) {
    try writeAllBytes(bytes, to: rawValue)
  }
}

/// Writes all bytes to a descriptor, however many calls it takes (`write(2)`).
///
/// - Throws: the error number.
package func writeAllBytes(_ bytes: [UInt8], to descriptor: Int32) throws(Errno) {
  var written = 0
  while written < bytes.count {
    written += try retryingInterrupted {
      unsafe bytes.withUnsafeBytes { buffer in
        unsafe write(
          descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written)
      }
    }
  }
}

/// Reads until the end, but never more than a limit (`read(2)`).
///
/// - Parameters:
///   - descriptor: an open descriptor.
///   - limit: the greatest number of bytes that is accepted.
///   - path: what the error names.
/// - Returns: the bytes.
/// - Throws: `tooLarge` when there is more, or `system`.
package func readToEnd(
  of descriptor: Int32, limit: Int, path: String
) throws(FileError) -> [UInt8] {
  var bytes = [UInt8](repeating: 0, count: min(limit + 1, 16 << 10))
  var count = 0
  while true {
    if count == bytes.count {
      guard count <= limit else { throw .tooLarge(path: path, limit: limit) }
      bytes.append(contentsOf: repeatElement(0, count: min(limit + 1 - count, count)))
    }
    let received = try readOnce(from: descriptor, into: &bytes, at: count, path: path)
    if received == 0 { break }
    count += received
  }
  guard count <= limit else { throw .tooLarge(path: path, limit: limit) }
  bytes.removeLast(bytes.count - count)
  return bytes
}

private func readOnce(
  from descriptor: Int32, into bytes: inout [UInt8], at offset: Int, path: String
) throws(FileError) -> Int {
  let space = bytes.count - offset
  do {
    return try retryingInterrupted {
      unsafe bytes.withUnsafeMutableBytes { buffer in
        unsafe read(descriptor, buffer.baseAddress?.advanced(by: offset), space)
      }
    }
  } catch {
    throw .system(call: "read", path: path, error)
  }
}
