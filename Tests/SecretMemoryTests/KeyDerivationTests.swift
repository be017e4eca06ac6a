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

  // Every use of the product; Tests/PackageTests looks for further ones.
  @Test(
    arguments: [
      ("TVstores", "47feb4818f13a0d22304a79c2a21aad535ee66249c83808a9272f990cd021e65"),
      ("TVlatchk", "3651a5277f755328057200c6aab208816e3cf714e6b881a9b13a5102dd8f3450"),
      ("TVboxmas", "4c24fb5039c13cbc3eb58bac97f0779cbb2f6aabf224f1e44738cef4341efde5"),
      ("TVfprmas", "cc4589d9076e9c739b6e775a68dc93ea63da0efb0753600033ade04991270ed6"),
      ("TVhostbx", "051d6603b8017b6ad14bf2141f411b4b4e661cf76149ea501e0a84bda6089f89"),
      ("TVaccfpr", "45db50bb16d1e62388abe0bdfb46138da97e200649e0ca7bd0e2c99ab9a35841"),
    ] as [(StaticString, String)])
  func cr18EachContextHasItsFixedKey(_ context: StaticString, hexText: String) throws {
    let master = try SecretBytes(copying: Array(0...31))
    let subkey = try KeyDerivation.subkey(of: master, identifier: 1, context: context)
    #expect(subkey.copiedBytes() == hexBytes(hexText))
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
