import SecretMemory
import Testing

@Suite struct PaddingTests {
  private func unpaddedCount(_ bytes: [UInt8], block: Int = 16) -> Int? {
    unsafe bytes.withUnsafeBytes { unsafe Padding.unpaddedCount($0, block: block) }
  }

  @Test(arguments: [(0, 16), (1, 16), (15, 16), (16, 32), (17, 32), (31, 32), (32, 48)])
  func paddingFillsToTheNextBlockAndComesOffAgain(_ count: Int, padded: Int) {
    let bytes = Array(repeating: 0x80, count: count) as [UInt8]
    let result = Padding.pad(bytes, toMultipleOf: 16)
    #expect(result.count == padded)
    #expect(Array(result.prefix(count)) == bytes)
    #expect(unpaddedCount(result) == count)
  }

  @Test(
    arguments: [
      [], Array(repeating: 0, count: 16), Array(repeating: 1, count: 16),
      [0x80] + Array(repeating: 0, count: 31), [0x80, 0], Array(repeating: 0x80, count: 17),
    ] as [[UInt8]])
  func whatIsNoPaddingIsTold(_ bytes: [UInt8]) {
    #expect(unpaddedCount(bytes) == nil)
  }
}
