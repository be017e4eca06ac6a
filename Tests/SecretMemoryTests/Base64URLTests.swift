import SecretMemory
import Testing

@Suite struct Base64URLTests {
  // RFC 4648 10, without padding; then the two characters that differ from plain base 64.
  @Test(arguments: [
    ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"),
    ("fooba", "Zm9vYmE"), ("foobar", "Zm9vYmFy"),
  ])
  func encodesAndDecodes(_ plain: String, encoded: String) {
    #expect(Base64URL.encode(Array(plain.utf8)) == encoded)
    #expect(Base64URL.decode(encoded) == Array(plain.utf8))
  }

  @Test func usesTheURLSafeAlphabet() {
    #expect(Base64URL.encode([0xFB, 0xEF, 0xFF]) == "--__")
    #expect(Base64URL.decode("--__") == [0xFB, 0xEF, 0xFF])
  }

  @Test(arguments: [
    "Zg==", "Zm8=", "Zg=", "=", "++//", "Zm+v", "Zm/v", "Zm9v\n", " Zm9v", "Zm 9v", "Z", "Zm9vZ",
    "Zh", "Zm9", "Zm\u{0}v", "Zm9vYg\u{0}", "Zé",
  ])
  func jw11RefusesEverythingElse(_ text: String) {
    #expect(Base64URL.decode(text) == nil)
  }
}
