/// Cuts a byte stream into frames: lines of JSON, each ended by a line feed.
///
/// Both ends use it, so both hold the same limit. Once a frame was too long the stream has no
/// meaning any more, and the connection has to be closed.
package struct FrameBuffer: Sendable {
  /// The longest frame in bytes, its line feed not counted.
  package static let limit = 64 << 10

  /// A frame was longer than the limit.
  package struct Overflow: Error, Sendable, Hashable, CustomStringConvertible {
    /// Makes the error.
    package init() {}

    /// One sentence with the limit.
    package var description: String { "a frame is longer than \(FrameBuffer.limit) bytes" }
  }

  private var bytes: [UInt8] = []
  private var start = 0
  // Bytes before this one are known to hold no line feed, so that a slow sender costs no rescans.
  private var searched = 0

  /// Makes an empty buffer.
  package init() {}

  /// Whether a part of a frame waits for its rest.
  package var hasPartialFrame: Bool { start < bytes.count }

  /// Takes what was read from the connection.
  ///
  /// - Parameter received: any number of bytes, frames or parts of frames.
  package mutating func append(_ received: some Sequence<UInt8>) {
    if start > 0 {
      bytes.removeSubrange(..<start)
      searched -= start
      start = 0
    }
    bytes.append(contentsOf: received)
  }

  /// Takes the next whole frame out of the buffer.
  ///
  /// To be called until it returns nil after each `append`.
  /// - Returns: the frame without its line feed; nil when more bytes are needed.
  /// - Throws: `Overflow`.
  package mutating func next() throws(Overflow) -> [UInt8]? {
    guard let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) else {
      searched = bytes.count
      guard bytes.count - start <= Self.limit else { throw Overflow() }
      return nil
    }
    guard end - start <= Self.limit else { throw Overflow() }
    let frame = Array(bytes[start..<end])
    start = end + 1
    searched = start
    return frame
  }
}
