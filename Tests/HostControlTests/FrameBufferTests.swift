import HostControl
import Testing

@Suite struct FrameBufferTests {
  @Test func framesComeOutOneByOneHoweverTheyArrive() throws {
    let stream = Array("{\"a\":1}\n\n{\"b\":2}\n{\"c\"".utf8)
    for step in 1...stream.count {
      var buffer = FrameBuffer()
      var frames: [[UInt8]] = []
      for start in stride(from: 0, to: stream.count, by: step) {
        buffer.append(stream[start..<min(start + step, stream.count)])
        while let frame = try buffer.next() { frames.append(frame) }
      }
      #expect(frames == [Array("{\"a\":1}".utf8), [], Array("{\"b\":2}".utf8)])
      #expect(buffer.hasPartialFrame)
    }
  }

  @Test func aFrameOfExactlyTheLimitPasses() throws {
    var buffer = FrameBuffer()
    let frame = [UInt8](repeating: 0x61, count: FrameBuffer.limit)
    buffer.append(frame + [0x0A])
    #expect(try buffer.next() == frame)
    #expect(!buffer.hasPartialFrame)
  }

  @Test(arguments: [false, true])
  func oneByteMoreIsAnErrorWithOrWithoutALineFeed(isEnded: Bool) {
    var buffer = FrameBuffer()
    buffer.append([UInt8](repeating: 0x61, count: FrameBuffer.limit + 1) + (isEnded ? [0x0A] : []))
    #expect(throws: FrameBuffer.Overflow()) { try buffer.next() }
    #expect(FrameBuffer.Overflow().description == "a frame is longer than 65536 bytes")
  }
}
