import SecretMemory
import Testing

@Suite struct AuthenticatedCipherTests {
  private let nonce = Array(0...23) as [UInt8]

  private func key(_ byte: UInt8 = 1) throws -> SecretBytes {
    try SecretBytes(copying: Array(repeating: byte, count: 32))
  }

  private func seal(_ text: String, associated: String = "header") throws -> [UInt8] {
    try AuthenticatedCipher.seal(
      Array(text.utf8), associatedData: Array(associated.utf8), nonce: nonce, key: key())
  }

  private func open(
    _ sealed: [UInt8], associated: String = "header", nonce: [UInt8]? = nil, keyByte: UInt8 = 1
  ) throws -> [UInt8] {
    try AuthenticatedCipher.open(
      sealed, associatedData: Array(associated.utf8), nonce: nonce ?? self.nonce,
      key: key(keyByte)
    ).copiedBytes()
  }

  /// The same through the variant that lends ordinary memory.
  private func lend(
    _ sealed: [UInt8], associated: String = "header", nonce: [UInt8]? = nil, keyByte: UInt8 = 1
  ) throws -> [UInt8] {
    let associated = Array(associated.utf8)
    let nonce = nonce ?? self.nonce
    var opened: [UInt8] = []
    try unsafe AuthenticatedCipher.withOpened(
      sealed.span.bytes, associatedData: associated.span.bytes, nonce: nonce.span.bytes,
      key: key(keyByte)
    ) { plaintext in opened = unsafe plaintext.withUnsafeBytes { unsafe Array($0) } }
    return opened
  }

  @Test(arguments: ["", "x", String(repeating: "long ", count: 10_000)])
  func whatWasSealedOpens(_ text: String) throws {
    let sealed = try seal(text)
    #expect(sealed.count == text.utf8.count + 16)
    #expect(try open(sealed) == Array(text.utf8))
    #expect(try lend(sealed) == Array(text.utf8))
  }

  @Test func everyMismatchLooksAlike() throws {
    let sealed = try seal("secret")
    var flipped = sealed
    flipped[0] ^= 1
    for attempt in [open, lend] as [([UInt8], String, [UInt8]?, UInt8) throws -> [UInt8]] {
      for (bytes, associated, nonce, keyByte) in [
        (sealed, "header", nil, 2), (sealed, "Header", nil, 1), (flipped, "header", nil, 1),
        (sealed, "header", Array(repeating: 9, count: 24), 1),
        (Array(sealed.dropLast()), "header", nil, 1), (Array(sealed.prefix(15)), "header", nil, 1),
        ([], "header", nil, 1),
      ] as [([UInt8], String, [UInt8]?, UInt8)] {
        #expect(throws: SecretMemoryError.cannotOpen) {
          try attempt(bytes, associated, nonce, keyByte)
        }
      }
    }
  }

  @Test func aBodyNeverSeesWhatDidNotOpen() throws {
    var wasCalled = false
    let sealed = try seal("secret").reversed() as [UInt8]
    #expect(throws: SecretMemoryError.cannotOpen) {
      try unsafe AuthenticatedCipher.withOpened(
        sealed.span.bytes, associatedData: nonce.span.bytes, nonce: nonce.span.bytes,
        key: key()
      ) { _ in wasCalled = true }
    }
    #expect(!wasCalled)
  }

  @Test(arguments: [0, 12, 23, 25, 32])
  func aNonceHasTwentyFourBytes(_ count: Int) throws {
    let sealed = try seal("secret")
    let wrong = Array(repeating: 0, count: count) as [UInt8]
    for attempt in [open, lend] as [([UInt8], String, [UInt8]?, UInt8) throws -> [UInt8]] {
      #expect(throws: SecretMemoryError.invalidParameter) {
        try attempt(sealed, "header", wrong, 1)
      }
    }
    #expect(throws: SecretMemoryError.invalidParameter) {
      try AuthenticatedCipher.seal([], associatedData: [], nonce: wrong, key: key())
    }
  }

  @Test(arguments: [0, 16, 31, 33])
  func aKeyHasThirtyTwoBytes(_ count: Int) throws {
    let short = try SecretBytes(randomCount: count)
    let sealed = try seal("secret")
    #expect(throws: SecretMemoryError.invalidParameter) {
      try AuthenticatedCipher.seal([], associatedData: [], nonce: nonce, key: short)
    }
    #expect(throws: SecretMemoryError.invalidParameter) {
      _ = try AuthenticatedCipher.open(
        sealed, associatedData: [], nonce: nonce, key: short
      ).count
    }
    #expect(throws: SecretMemoryError.invalidParameter) {
      try unsafe AuthenticatedCipher.withOpened(
        sealed.span.bytes, associatedData: nonce.span.bytes, nonce: nonce.span.bytes,
        key: short
      ) { _ in }
    }
  }

  @Test(arguments: [
    (SecretMemoryError.outOfMemory, "no memory for a secret"),
    (.cannotOpen, "the sealed data does not open with this key"),
    (.invalidParameter, "a cryptographic parameter is out of bounds"),
  ])
  func errorsSayWhatHappened(_ error: SecretMemoryError, text: String) {
    #expect(error.description == text)
  }
}
