import OIDCClient
import Testing

struct AuthorizationResponseTests {
  typealias Verdict = AuthorizationResponse.Verdict

  private let transaction = AuthorizationTransaction(
    issuer: "https://id.example", clientId: "desktop", scopes: ["openid"])

  private func judge(
    state: String?, requiresIssuer: Bool = false, _ others: [(String, String)]
  ) -> Verdict {
    var parameters = others.map { (name: $0.0, value: $0.1) }
    if let state { parameters.insert(("state", state), at: 0) }
    return AuthorizationResponse.judge(
      parameters, transaction: transaction, requiresIssuer: requiresIssuer)
  }

  @Test func aCodeWithItsStateIsTaken() {
    #expect(judge(state: transaction.state, [("code", "c")]) == .code("c"))
    #expect(
      judge(state: transaction.state, [("code", "c"), ("session_state", "x")]) == .code("c"))
  }

  @Test func rp33AWrongStateIsRefused() {
    let other = AuthorizationTransaction(
      issuer: "https://id.example", clientId: "desktop", scopes: ["openid"])
    let changed = String(transaction.state.dropLast()) + "~"
    #expect(judge(state: nil, [("code", "c")]) == .mismatch("it has no state"))
    for state in ["", changed, other.state, transaction.state + "A"] {
      #expect(
        judge(state: state, [("code", "c")])
          == .mismatch("its state is not the one that was sent"))
    }
  }

  @Test(arguments: [
    "https://other.example", "https://id.example/", "https://ID.example", "https://id.example1", "",
  ])
  func rp34AnotherIssuerIsRefusedWhetherPromisedOrNot(issuer: String) {
    for promised in [true, false] {
      #expect(
        judge(
          state: transaction.state, requiresIssuer: promised, [("code", "c"), ("iss", issuer)])
          == .mismatch("its iss is another issuer"))
    }
  }

  @Test func rp35APromisedIssuerMustBeThere() {
    #expect(
      judge(state: transaction.state, requiresIssuer: true, [("code", "c")])
        == .mismatch("it has no iss"))
    #expect(
      judge(
        state: transaction.state, requiresIssuer: true,
        [("code", "c"), ("iss", "https://id.example")]) == .code("c"))
  }

  @Test func rp36AnAnswerOfAnotherProviderIsNotThisTransactions() {
    let other = AuthorizationTransaction(
      issuer: "https://other.example", clientId: "desktop", scopes: ["openid"])
    #expect(
      judge(state: other.state, [("code", "c"), ("iss", "https://other.example")])
        == .mismatch("its state is not the one that was sent"))
    #expect(
      judge(state: transaction.state, [("code", "c"), ("iss", "https://other.example")])
        == .mismatch("its iss is another issuer"))
  }

  @Test func rp37AnErrorCountsOnlyFromTheProviderAsked() {
    let denied = [("error", "access_denied")]
    #expect(
      judge(state: transaction.state, denied + [("iss", "https://other.example")])
        == .ignored("its iss is another issuer"))
    #expect(
      judge(state: transaction.state, requiresIssuer: true, denied) == .ignored("it has no iss"))
    #expect(
      judge(state: transaction.state, denied + [("iss", "https://id.example")])
        == .refused(.accessDenied))
    #expect(judge(state: transaction.state, denied) == .refused(.accessDenied))
    #expect(judge(state: "x", denied) == .mismatch("its state is not the one that was sent"))
  }

  @Test func rp38IssuersAreComparedByBytes() {
    let composed = AuthorizationTransaction(
      issuer: "https://id.example/caf\u{e9}", clientId: "desktop", scopes: [])
    let verdict = AuthorizationResponse.judge(
      [("state", composed.state), ("code", "c"), ("iss", "https://id.example/cafe\u{301}")],
      transaction: composed, requiresIssuer: false)
    #expect(verdict == .mismatch("its iss is another issuer"))
  }

  @Test(arguments: ["code", "state", "iss", "error", "x"])
  func na08RepeatedParametersAreRefused(name: String) {
    let repeated = [(name, "a"), (name, "a"), ("code", "c")]
    #expect(
      judge(state: transaction.state, repeated) == .mismatch("a parameter occurs twice"))
  }

  @Test func anAnswerWithoutACodeIsRefused() {
    #expect(judge(state: transaction.state, []) == .mismatch("it has no code"))
    #expect(judge(state: transaction.state, [("code", "")]) == .mismatch("it has no code"))
  }
}
