import OIDCClient
import Testing

struct ProofKeyTests {
  @Test func pk01VerifiersAreLongUnreservedAndDistinct() {
    var seen: Set<String> = []
    for _ in 1...10_000 {
      let verifier = ProofKey().verifier
      #expect(verifier.utf8.count == 43)
      #expect(
        verifier.utf8.allSatisfy {
          (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) || (0x61...0x7A).contains($0)
            || "-._~".utf8.contains($0)
        })
      seen.insert(verifier)
    }
    #expect(seen.count == 10_000)
  }

  @Test func pk02TheChallengeIsThatOfRFC7636AppendixB() {
    let key = ProofKey(verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
    #expect(key.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    #expect(ProofKey.method == "S256")
  }
}
