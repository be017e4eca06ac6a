import SecretMemory
import StrictJSON
import TestSupport
import Testing

@Suite struct WycheproofCipherTests {
  @Test(.enabled(if: TestVectors.directory != nil, "no test vectors: set TOKENVAULT_VECTORS"))
  func jw08EveryVectorHasItsVerdict() throws {
    let directory = try #require(TestVectors.directory)
    let path = "\(directory)/wycheproof/xchacha20_poly1305_test.json"
    let text = try #require(TestVectors.bytes(of: path), "no \(path)")
    let file = try JSONValue(parsing: text)
    var verdicts = 0
    for group in file["testGroups"]?.array ?? [] {
      for vector in group["tests"]?.array ?? [] {
        try check(vector)
        verdicts += 1
      }
    }
    #expect(verdicts == 315)
  }

  private func check(_ vector: JSONValue) throws {
    let number = try #require(vector["tcId"]?.integer)
    func bytes(_ name: String) throws -> [UInt8] {
      hexBytes(try #require(vector[name]?.string))
    }
    let key = try SecretBytes(copying: bytes("key"))
    let nonce = try bytes("iv")
    let associated = try bytes("aad")
    let sealed = try bytes("ct") + bytes("tag")
    let opened: [UInt8]?
    var lent: [UInt8]?
    do {
      opened = try AuthenticatedCipher.open(
        sealed, associatedData: associated, nonce: nonce, key: key
      ).copiedBytes()
    } catch {
      opened = nil
    }
    do {
      try unsafe AuthenticatedCipher.withOpened(
        sealed.span.bytes, associatedData: associated.span.bytes, nonce: nonce.span.bytes,
        key: key
      ) { plaintext in lent = unsafe plaintext.withUnsafeBytes { unsafe Array($0) } }
    } catch {
      lent = nil
    }
    #expect(opened == lent, "vector \(number)")
    guard vector["result"]?.string == "valid" else {
      #expect(opened == nil, "vector \(number) must not open")
      return
    }
    let message = try bytes("msg")
    #expect(opened == message, "vector \(number) must open")
    let sealedAgain = try AuthenticatedCipher.seal(
      message, associatedData: associated, nonce: nonce, key: key)
    #expect(sealedAgain == sealed, "vector \(number) must seal")
  }
}

/// Reads hexadecimal digits in pairs.
func hexBytes(_ text: String) -> [UInt8] {
  let digits = text.compactMap(\.hexDigitValue)
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}
