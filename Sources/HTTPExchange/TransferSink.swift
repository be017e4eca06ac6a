/// Collects an answer while it arrives; used on its transfer's thread only.
final class TransferSink {
  private static let maximumHeaderLength = 65_536

  private let maximumBodyLength: Int
  private var headerLength = 0
  private var headersAreComplete = false

  /// The header fields of the latest answer.
  private(set) var headers = HTTPHeaders()
  /// The body so far.
  private(set) var body: [UInt8] = []
  /// Whether the request has begun to leave.
  private(set) var requestWasSent = false
  /// Whether the answer was given up because of its size.
  private(set) var overflowed = false

  init(maximumBodyLength: Int) {
    self.maximumBodyLength = maximumBodyLength
  }

  /// Notes that the connection stands and the request is about to be written.
  func requestBegins() {
    requestWasSent = true
  }

  /// Takes a piece of the body; false ends the transfer.
  func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count <= maximumBodyLength - body.count else {
      overflowed = true
      return false
    }
    unsafe body.append(contentsOf: bytes)
    return true
  }

  /// Takes one header line; false ends the transfer.
  ///
  /// A new status line starts over (an interim answer was before it); trailers are ignored.
  func receiveHeader(_ bytes: UnsafeRawBufferPointer) -> Bool {
    headerLength += bytes.count
    guard headerLength <= Self.maximumHeaderLength else {
      overflowed = true
      return false
    }
    let line = unsafe bytes.prefix { $0 != 0x0D && $0 != 0x0A }
    if unsafe line.isEmpty {
      headersAreComplete = true
    } else if unsafe line.starts(with: "HTTP/".utf8), body.isEmpty {
      headers.removeAll()
      headersAreComplete = false
    } else if !headersAreComplete, let colon = unsafe line.firstIndex(of: UInt8(ascii: ":")) {
      unsafe headers.append(name: Self.text(line[..<colon]), value: Self.text(line[(colon + 1)...]))
    }
    return true
  }

  private static func text(_ bytes: some BidirectionalCollection<UInt8>) -> String {
    let isBlank = { (byte: UInt8) in byte == 0x20 || byte == 0x09 }
    let start = bytes.drop(while: isBlank)
    let end = start.lastIndex { !isBlank($0) }.map { start.index(after: $0) } ?? start.startIndex
    return String(decoding: start[..<end], as: UTF8.self)
  }
}
