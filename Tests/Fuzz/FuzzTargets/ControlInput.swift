import HostControl

/// The input is what arrives on the control socket, behind a byte that says in which pieces.
enum ControlInput {
  static func digest(_ input: [UInt8]) throws(FuzzFinding) {
    guard let first = input.first else { return }
    let stream = input.dropFirst()
    let frames = frames(of: stream, piece: Int(first) + 1)
    try demand(frames == self.frames(of: stream, piece: .max), "frames do not depend on the pieces")
    for frame in frames ?? [] {
      try demand(!frame.contains(UInt8(ascii: "\n")), "a frame is one line")
      if let request = try? ControlRequest(frame: frame) { try check(request) }
      if let event = try? ControlEvent(frame: frame) { try check(event) }
    }
  }

  /// The frames of a stream that comes in pieces; nil where one is too long.
  private static func frames(of stream: ArraySlice<UInt8>, piece: Int) -> [[UInt8]]? {
    var buffer = FrameBuffer()
    var frames: [[UInt8]] = []
    var rest = stream
    do {
      repeat {
        buffer.append(rest.prefix(piece))
        rest = rest.dropFirst(piece)
        while let frame = try buffer.next() { frames.append(frame) }
      } while !rest.isEmpty
    } catch {
      return nil
    }
    return frames
  }

  private static func check(_ request: ControlRequest) throws(FuzzFinding) {
    let again = try? ControlRequest(frame: Array(request.encoded().dropLast()))
    try demand(again == request, "a request that is written says the same")
  }

  private static func check(_ event: ControlEvent) throws(FuzzFinding) {
    let again = try? ControlEvent(frame: Array(event.encoded().dropLast()))
    try demand(again == event, "an event that is written says the same")
  }
}
