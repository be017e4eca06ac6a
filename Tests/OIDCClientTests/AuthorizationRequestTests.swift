import GrantModel
import HTTPExchange
import OIDCClient
import Testing

struct AuthorizationRequestTests {
  private let transaction = AuthorizationTransaction(
    issuer: "https://id.example", clientId: "desk top&é", scopes: ["openid", "offline_access"],
    redirectURI: "http://127.0.0.1:8400/callback")

  @Test func everyParameterIsThereOnceAndEncoded() throws {
    let url = AuthorizationRequest.url(
      endpoint: try WebAddress("https://id.example/authorize"), transaction: transaction,
      parameters: [.init(name: "prompt", value: "consent"), .init(name: "x", value: "a b+c")])
    let nonce = try #require(transaction.nonce)
    #expect(
      url == "https://id.example/authorize?response_type=code&client_id=desk%20top%26%C3%A9"
        + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A8400%2Fcallback"
        + "&scope=openid%20offline_access&state=\(transaction.state)&nonce=\(nonce)"
        + "&code_challenge=\(transaction.proofKey.challenge)&code_challenge_method=S256"
        + "&prompt=consent&x=a%20b%2Bc")
    #expect(!url.contains(transaction.proofKey.verifier))
  }

  @Test(arguments: [
    ("https://id.example/a?tenant=1", "https://id.example/a?tenant=1&response_type=code"),
    ("https://id.example/a?", "https://id.example/a?response_type=code"),
  ])
  func theEndpointsOwnQueryIsKept(endpoint: String, start: String) throws {
    let url = AuthorizationRequest.url(
      endpoint: try WebAddress(endpoint), transaction: transaction)
    #expect(url.hasPrefix(start))
  }

  @Test func stateNonceAndVerifierAreFreshAndLong() {
    let other = AuthorizationTransaction(
      issuer: transaction.issuer, clientId: transaction.clientId, scopes: transaction.scopes)
    #expect(other.state != transaction.state)
    #expect(other.nonce != transaction.nonce)
    #expect(other.proofKey.verifier != transaction.proofKey.verifier)
    #expect(other.state.utf8.count == 43)
    #expect(other.nonce?.utf8.count == 43)
  }

  @Test func noNonceIsSentWhereNoIDTokenIsAskedFor() {
    let plain = AuthorizationTransaction(issuer: "x", clientId: "y", scopes: ["repo"])
    #expect(plain.nonce == nil)
  }

  @Test(arguments: [
    "client_id", "redirect_uri", "response_type", "response_mode", "scope", "state", "nonce",
    "code_challenge", "code_challenge_method", "request", "request_uri", "client_secret", "",
  ])
  func whatCarriesTheProtocolCannotBeSet(name: String) {
    let parameter = SignInRequest.Parameter(name: name, value: "x")
    #expect(
      throws: ExchangeFailure.configuration("the authorization parameter \(name) cannot be set")
    ) {
      try AuthorizationRequest.parameters(
        configured: [], request: SignInRequest(parameters: [parameter]))
    }
    #expect(throws: ExchangeFailure.self) {
      try AuthorizationRequest.parameters(configured: [parameter], request: SignInRequest())
    }
  }

  @Test func thePersonsParametersWinByName() throws {
    let result = try AuthorizationRequest.parameters(
      configured: [
        .init(name: "prompt", value: "consent"), .init(name: "login_hint", value: "bob"),
        .init(name: "audience", value: "api"),
      ],
      request: SignInRequest(
        loginHint: "alice", parameters: [.init(name: "prompt", value: "login")]))
    #expect(
      result.map { "\($0.name)=\($0.value)" } == [
        "login_hint=alice", "prompt=login", "audience=api",
      ])
  }

  private static let methods = [
    LoginMethod(
      name: "google",
      parameters: [
        .init(name: "kc_idp_hint", value: "google"), .init(name: "prompt", value: "none"),
      ]),
    LoginMethod(name: "passkey", parameters: [.init(name: "acr_values", value: "phr")]),
  ]

  @Test func aLoginMethodStandsForItsParameters() throws {
    let result = try AuthorizationRequest.parameters(
      configured: [.init(name: "kc_idp_hint", value: "github"), .init(name: "x", value: "y")],
      methods: Self.methods,
      request: SignInRequest(
        loginMethod: "google", parameters: [.init(name: "prompt", value: "login")]))
    #expect(
      result.map { "\($0.name)=\($0.value)" } == ["prompt=login", "kc_idp_hint=google", "x=y"])
  }

  @Test func aLoginMethodThatIsNotConfiguredIsSaid() {
    let request = SignInRequest(loginMethod: "Google")
    #expect(
      throws: ExchangeFailure.configuration(
        "the configuration has no login method \"Google\"; those it has are google, passkey")
    ) {
      try AuthorizationRequest.parameters(
        configured: [], methods: Self.methods, request: request)
    }
    #expect(
      throws: ExchangeFailure.configuration(
        "the configuration has no login method \"Google\"; add it under loginMethods")
    ) {
      try AuthorizationRequest.parameters(configured: [], request: request)
    }
  }

  @Test(arguments: ["-1", "soon", ""])
  func maxAgeIsANumberOfSeconds(value: String) {
    #expect(throws: ExchangeFailure.configuration("max_age is not a number of seconds")) {
      try AuthorizationRequest.parameters(
        configured: [.init(name: "max_age", value: value)], request: SignInRequest())
    }
  }
}
