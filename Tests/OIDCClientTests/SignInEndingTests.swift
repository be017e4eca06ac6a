import BrowserFlow
import GrantModel
import OIDCClient
import Testing

struct SignInEndingTests {
  @Test(
    arguments: [
      (.terminal(.accessDenied), .denied(provider: "id.example")),
      (.terminal(.otherAccount("sub")), .wrongAccount(provider: "id.example")),
      (.terminal(.accountChanged), .wrongAccount(provider: "id.example")),
      (.terminal(.expired), .expired),
      (.terminal(.provider(code: "invalid_grant")), .expired),
      (.terminal(.provider(code: "invalid_code")), .expired),
      (.terminal(.provider(code: "invalid_client")), .failed(provider: "id.example")),
      (.terminal(.cancelled), .cancelled),
      (.terminal(.responseMismatch("iss")), .mismatched),
      (.terminal(.verification("nonce")), .failed(provider: "id.example")),
      (.transient(.network("x"), retryAfter: nil), .unreachable(provider: "id.example")),
      (.transient(.lostAnswer("x"), retryAfter: nil), .unreachable(provider: "id.example")),
      (.transient(.storage(JournalError("full")), retryAfter: nil), .unsaved),
    ] as [(GrantOutcome, RedirectEnding)])
  func eachOutcomeHasItsEnding(outcome: GrantOutcome, ending: RedirectEnding) {
    #expect(OIDCSessionSource.ending(outcome, "id.example") == ending)
  }

  @Test(
    arguments: [
      ("https://id.example/realms/one", "id.example"),
      ("https://id.example:8443", "id.example:8443"),
      ("http://127.0.0.1:8080/api", "127.0.0.1:8080"), ("github", "github"),
    ])
  func aProviderIsNamedByItsHost(issuer: String, name: String) {
    #expect(OIDCSessionSource.displayName(ofIssuer: issuer) == name)
  }
}
