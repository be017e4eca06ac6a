import SecretMemory
import Testing

@Suite struct KeyDerivationTests {
  // BLAKE2b with the salt and personalisation of crypto_kdf, by another implementation.
  @Test(
    arguments: [
      (0, "c13fcc2e6cd0cd0f82d93b163a5696c5105378f8c629d36baf3ae0239de9c280"),
      (1, "13fea52bb8cba063f3ed93de27ed07e06d8c6367474e6ae4c9282913ac3c3a03"),
    ] as [(UInt64, String)])
  func subkeysAreThoseOfTheLibrary(_ identifier: UInt64, hexText: String) throws {
    let master = try SecretBytes(copying: Array(0...31))
    let subkey = try KeyDerivation.subkey(of: master, identifier: identifier, context: "KDF test")
    #expect(subkey.copiedBytes() == hexBytes(hexText))
  }

  @Test func anotherContextGivesAnotherKey() throws {
    let master = try SecretBytes(copying: Array(0...31))
    let subkey = try KeyDerivation.subkey(of: master, identifier: 0, context: "KDF tesu")
    #expect(
      subkey.copiedBytes()
        == hexBytes("100b3c0ccfb902f80ad896893c5d7821fa3e50c82eb66e732b30f584800ecedd"))
  }

  @Test func contextsHaveEightBytesAndMastersThirtyTwo() throws {
    let master = try SecretBytes(randomCount: 32)
    for context in ["", "seven b", "nine byte"] as [StaticString] {
      #expect(throws: SecretMemoryError.invalidParameter) {
        _ = try KeyDerivation.subkey(of: master, identifier: 0, context: context).count
      }
    }
    let short = try SecretBytes(randomCount: 31)
    #expect(throws: SecretMemoryError.invalidParameter) {
      _ = try KeyDerivation.subkey(of: short, identifier: 0, context: "KDF test").count
    }
  }

  @Test func fingerprintsAreKeyedHashes() throws {
    let key = try SecretBytes(copying: Array(0...31))
    #expect(
      try fingerprint(of: Array("abc".utf8), key: key, length: 16)
        == hexBytes("1a64be47e4729d951c302ee543f97cf3"))
    for length in [0, 15, 65] {
      #expect(throws: SecretMemoryError.invalidParameter) {
        try fingerprint(of: [], key: key, length: length)
      }
    }
    let short = try SecretBytes(randomCount: 15)
    #expect(throws: SecretMemoryError.invalidParameter) {
      try fingerprint(of: [], key: short, length: 16)
    }
  }

  // FIPS 180-4.
  @Test func sha256IsThatOfTheStandard() {
    #expect(
      sha256(Array("abc".utf8))
        == hexBytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
  }
}
