import HTTPExchange
import JOSE
import OIDCClient
import StrictJSON
import Testing

struct ProviderMetadataTests {
  private static let issuer = "https://id.example"

  private func document(_ changes: [(String, JSONValue)] = []) -> JSONObject {
    var object = JSONObject([
      ("issuer", .string(Self.issuer)),
      ("authorization_endpoint", .string("https://id.example/authorize")),
      ("token_endpoint", .string("https://id.example/token")),
      ("jwks_uri", .string("https://keys.example/jwks")),
    ])
    for (name, value) in changes { object[name] = value }
    return object
  }

  @Test func aPlainDocumentIsRead() throws {
    let metadata = try ProviderMetadata(
      document: document([
        ("code_challenge_methods_supported", .array([.string("plain"), .string("S256")])),
        ("id_token_signing_alg_values_supported", .array([.string("ES256"), .string("none")])),
        ("authorization_response_iss_parameter_supported", .bool(true)),
        ("userinfo_endpoint", .null),
      ]), issuer: Self.issuer)
    #expect(metadata.token?.text == "https://id.example/token")
    #expect(metadata.keys?.text == "https://keys.example/jwks")
    #expect(metadata.userInfo == nil)
    #expect(metadata.idTokenAlgorithms == [.es256])
    #expect(metadata.sendsIssuerInResponse)
    #expect(!metadata.lacksProofKeySupport)
  }

  @Test(arguments: [
    "https://id.example/", "https://ID.example", "https://id.example1", "http://id.example",
    "https://id.example/\u{e9}",
  ])
  func rp26AnotherIssuerIsRefused(stated: String) {
    #expect(throws: MetadataError.issuerMismatch) {
      try ProviderMetadata(
        document: document([("issuer", .string(stated))]), issuer: Self.issuer)
    }
  }

  @Test func rp38IssuersAreComparedByBytes() {
    #expect(throws: MetadataError.issuerMismatch) {
      try ProviderMetadata(
        document: JSONObject([("issuer", .string("https://id.example/cafe\u{301}"))]),
        issuer: "https://id.example/caf\u{e9}")
    }
  }

  @Test func rp26AMissingIssuerIsRefused() {
    #expect(throws: MetadataError.missing("issuer")) {
      try ProviderMetadata(document: JSONObject(), issuer: Self.issuer)
    }
  }

  @Test(arguments: [
    "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint",
    "revocation_endpoint", "device_authorization_endpoint",
  ])
  func rp29AnHTTPSIssuerHasNoPlainEndpoint(name: String) {
    let refused = [
      "http://id.example/x", "http://127.0.0.1:1/x", "ftp://id.example/x", "/x", "https://",
      "https://id.example/x#y", "https://user@id.example/x",
    ]
    for text in refused {
      #expect(throws: MetadataError.forbiddenEndpoint(name)) {
        try ProviderMetadata(document: document([(name, .string(text))]), issuer: Self.issuer)
      }
    }
    #expect(throws: MetadataError.malformed(name)) {
      try ProviderMetadata(document: document([(name, .integer(1))]), issuer: Self.issuer)
    }
  }

  @Test func aLoopbackIssuerMayUsePlainHTTPOnLoopbackOnly() throws {
    let issuer = "http://127.0.0.1:8080"
    let good = JSONObject([
      ("issuer", .string(issuer)), ("token_endpoint", .string("http://127.0.0.1:8080/token")),
    ])
    #expect(try ProviderMetadata(document: good, issuer: issuer).token?.port == 8080)
    let bad = JSONObject([
      ("issuer", .string(issuer)), ("token_endpoint", .string("http://id.example/token")),
    ])
    #expect(throws: MetadataError.forbiddenEndpoint("token_endpoint")) {
      try ProviderMetadata(document: bad, issuer: issuer)
    }
  }

  @Test func configuredEndpointsReplaceThoseOfTheDocument() throws {
    let metadata = try ProviderMetadata(
      document: document([("revocation_endpoint", .string("http://bad"))]),
      issuer: Self.issuer,
      overrides: EndpointOverrides(revocation: "https://id.example/revoke"))
    #expect(metadata.revocation?.text == "https://id.example/revoke")
  }

  @Test func pk03OnlyAListWithoutS256CountsAgainstAProvider() throws {
    let none = try ProviderMetadata(document: document(), issuer: Self.issuer)
    #expect(!none.lacksProofKeySupport)
    for list in [[JSONValue.string("plain")], []] {
      let metadata = try ProviderMetadata(
        document: document([("code_challenge_methods_supported", .array(list))]),
        issuer: Self.issuer)
      #expect(metadata.lacksProofKeySupport)
    }
  }

  @Test func withoutAListIDTokensAreSignedWithRS256() throws {
    let metadata = try ProviderMetadata(document: document(), issuer: Self.issuer)
    #expect(metadata.idTokenAlgorithms == [.rs256])
    #expect(metadata.tokenAuthenticationMethods == nil)
  }

  @Test(arguments: [
    (
      MetadataError.issuerMismatch,
      "the provider's metadata names another issuer; set `issuer` to exactly the one it names"
    ),
    (.missing("x"), "the provider's metadata has no x"),
    (.malformed("x"), "x in the provider's metadata is of the wrong kind"),
    (
      .forbiddenEndpoint("x"),
      "x is not an https URL; only an issuer on a loopback address may use http"
    ),
  ])
  func errorsSayWhatToDo(error: MetadataError, text: String) {
    #expect(error.description == text)
  }
}
