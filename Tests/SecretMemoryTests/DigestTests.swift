import SecretMemory
import TestSupport
import Testing

struct DigestTests {
  // FIPS 180-4 examples, and a length that crosses a block of 128 bytes.
  @Test(arguments: [
    (
      "abc",
      "cb00753f45a35e8bb5a03d699ac65007272c32ab0eded1631a8b605a43ff5bed"
        + "8086072ba1e7cc2358baeca134c825a7"
    ),
    (
      "",
      "38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da"
        + "274edebfe76f65fbd51ad2f14898b95b"
    ),
  ])
  func sha384IsThatOfTheStandard(text: String, digest: String) {
    #expect(hexText(sha384(Array(text.utf8))) == digest)
  }

  @Test func sha512IsThatOfTheStandard() {
    #expect(
      hexText(sha512(Array("abc".utf8)))
        == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
        + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f")
  }
}
