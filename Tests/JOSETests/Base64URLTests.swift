import JOSE
import Testing

@Suite struct Base64URLTests {
  @Test(
    arguments: [
      ([], ""), ([0x66], "Zg"), ([0x66, 0x6F], "Zm8"), ([0x66, 0x6F, 0x6F], "Zm9v"),
      ([0x66, 0x6F, 0x6F, 0x62], "Zm9vYg"), ([0xFB, 0xFF, 0xBF], "-_-_"), ([0, 0], "AAA"),
      ([3, 236, 255, 224, 193], "A-z_4ME"),
    ] as [([UInt8], String)])
  func bytesHaveOneSpelling(bytes: [UInt8], text: String) {
    #expect(Base64URL.encode(bytes) == text)
    #expect(Base64URL.decode(text.utf8) == bytes)
  }

  @Test(
    arguments: [
      "Zg==", "Zg=", "Z", "Zm9vY", "Zh", "Zm9", "+_-_", "-/-_", "Zm9v\n", " Zm9v", "Zm 9v", "Zm9v.",
      "Zm9v\0", "Z\u{e9}", "Zm9v=", "====",
    ])
  func jw11AnyOtherSpellingIsRefused(text: String) {
    #expect(Base64URL.decode(text.utf8) == nil)
  }

  @Test func everyByteSurvives() {
    let bytes = (0...255).map { UInt8($0) }
    for length in 0...256 {
      let prefix = Array(bytes.prefix(length))
      #expect(Base64URL.decode(Base64URL.encode(prefix).utf8) == prefix)
    }
  }
}
