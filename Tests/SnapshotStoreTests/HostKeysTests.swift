import SecretMemory
import SessionModel
import SnapshotFormat
import SnapshotStore
import Testing

@Suite struct HostKeysTests {
  @Test func cr18DerivationContextsAreEightBytesAndAllDifferent() {
    let contexts = [HostBoxKey.context, AccountFingerprinter.context].map { "\($0)" }
    #expect(contexts == ["TVhostbx", "TVaccfpr"])
    #expect(contexts.allSatisfy { $0.utf8.count == 8 })
    #expect(Set(contexts).count == contexts.count)
  }

  @Test func theHostBoxOpensWithTheDerivedKeyAsTheFormatSays() throws {
    let file = try Sample.snapshot()
    let readerBox = file.count - 1068
    let hostBox = readerBox - 1068
    // crypto_kdf_derive_from_key(1, "TVhostbx") of 32 bytes 0x51, by another implementation.
    let key = try SecretBytes(
      copying: hex("d96ca2c0a6c0f0b237638bc16c25564a432bad9ba395e6c563d01b722f3b11e4"))
    let plaintext = try AuthenticatedCipher.open(
      Array(file[(hostBox + 28)..<readerBox]),
      associatedData: Array(file[..<hostBox]) + Array("host".utf8),
      nonce: Array(file[(hostBox + 4)..<(hostBox + 28)]), key: key
    ).copiedBytes()
    let json = Array(
      #"{"refreshToken":"refresh-token-sentinel","idToken":"id-token-sentinel"}"#.utf8)
    #expect(plaintext == json + [0x80] + Array(repeating: 0, count: 1023 - json.count))
  }

  @Test func cr04TheGroupsKeyDoesNotOpenTheHostBox() throws {
    let file = try Sample.snapshot()
    let readerBox = file.count - 1068
    let hostBox = readerBox - 1068
    #expect(throws: SecretMemoryError.cannotOpen) {
      _ = try AuthenticatedCipher.open(
        Array(file[(hostBox + 28)..<readerBox]),
        associatedData: Array(file[..<hostBox]) + Array("host".utf8),
        nonce: Array(file[(hostBox + 4)..<(hostBox + 28)]), key: Sample.groupKey().secret
      ).count
    }
  }

  @Test func withoutHostTokensOrKeyThereIsNoHostBox() throws {
    let whole = try Sample.snapshot()
    let locked = try Sample.encoder(withHostBoxKey: false).encode(
      Sample.draft(), key: Sample.groupKey()
    ).bytes
    let bare = try Sample.snapshot(Sample.draft(.session(Sample.record.withoutHostTokens)))
    #expect(whole.count - locked.count == 1064)
    #expect(locked.count == bare.count)
    #expect(
      try Sample.open(locked).content == .session(Sample.record.withoutHostTokens))
  }

  @Test func accountFingerprintsDependOnBothNamesAndTheirBoundary() throws {
    let fingerprinter = try AccountFingerprinter(
      derivedFrom: try SecretBytes(copying: Array(repeating: 0x51, count: 32)))
    let one = try fingerprinter.fingerprint(issuer: "https://issuer.example", subject: "subject")
    #expect(one == AccountFingerprint(bytes: hex("f9e8e64114890633489118788b333a33")))
    #expect(
      try one != fingerprinter.fingerprint(issuer: "https://issuer.examples", subject: "ubject"))
    #expect(
      try fingerprinter.fingerprint(issuer: "\u{E9}", subject: "")
        != fingerprinter.fingerprint(issuer: "e\u{301}", subject: ""))
    let other = try AccountFingerprinter(
      derivedFrom: try SecretBytes(copying: Array(repeating: 0x52, count: 32)))
    #expect(try one != other.fingerprint(issuer: "https://issuer.example", subject: "subject"))
  }
}

/// Reads hexadecimal digits; anything else ends the test program.
func hex(_ text: String) -> [UInt8] {
  let digits = text.utf8.filter { $0 != 0x20 && $0 != 0x0A }.compactMap {
    Character(UnicodeScalar($0)).hexDigitValue
  }
  return stride(from: 0, to: digits.count - 1, by: 2).map {
    UInt8(digits[$0] << 4 | digits[$0 + 1])
  }
}
