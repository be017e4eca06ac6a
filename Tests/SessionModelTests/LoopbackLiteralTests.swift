import SessionModel
import Testing

@Suite struct LoopbackLiteralTests {
  @Test(arguments: ["127.0.0.1", "127.255.255.254", "[::1]"])
  func addressesOfThisMachineAre(host: String) { #expect(LoopbackLiteral.contains(host)) }

  @Test(arguments: [
    "localhost", "127.0.0.1.example", "127.0.0", "127.0.0.256", "127.0.0.1 ", "127.0.0.-1", "",
    "127.0.0.1:80", "::1", "[::2]", "128.0.0.1", "127...1", "0127.0.0.1", "127.0.0.٣",
  ])
  func nothingElseIs(host: String) { #expect(!LoopbackLiteral.contains(host)) }
}
