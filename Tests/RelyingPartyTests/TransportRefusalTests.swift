import DevelopmentProvider
import HTTPExchange
import HostControl
import LoopbackHTTP
import OIDCClient
import TestSupport
import Testing

/// Servers that a whole host must not talk to, and answers that it must not take in.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct TransportRefusalTests {
  @Test(
    arguments: [
      (TLSServer.Kind.good, false, "its certificate is self-signed"),
      (.otherHost, true, "its certificate is for another host"),
      (.expired, true, "its certificate has expired"),
      (.oldProtocol, true, "SSL connect error"),
    ])
  func ht07AnUntrustedServerIsAskedForNothing(
    kind: TLSServer.Kind, isTrusted: Bool, reason: String
  ) async throws {
    let server = try await TLSServer(kind)
    let host = try await HostFixture(
      client: { $0.issuer = server.url("") },
      http: HTTPClient(.init(caFile: isTrusted ? server.certificate : nil)))
    guard case .failed(.offline, let message) = try await host.signIn() else {
      Issue.record("the sign-in did not fail as offline")
      return
    }
    #expect(message.contains(reason))
    try await host.expectNothing(of: [])
    #expect(!server.output.contains { $0.contains("GET") || $0.contains("POST") })
  }

  @Test(
    arguments: [
      "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint",
      "revocation_endpoint", "device_authorization_endpoint",
    ])
  func rp29AnHTTPSIssuerWithAPlainEndpointStartsNoSignIn(name: String) async throws {
    let server = try await TLSServer(.good, answersWithFiles: true)
    let issuer = server.url("")
    let host = try await HostFixture(
      client: { $0.issuer = issuer }, http: HTTPClient(.init(caFile: server.certificate)))
    let endpoints = [
      "authorization_endpoint": "/authorize", "token_endpoint": "/token", "jwks_uri": "/jwks",
    ].merging([name: "/x"]) { $1 }
    let members = endpoints.map { endpoint, path in
      // The plain one is a provider's that would answer.
      "\"\(endpoint)\":\"\(endpoint == name ? host.provider.issuer : issuer)\(path)\""
    }
    let document = "{\"issuer\":\"\(issuer)\",\(members.joined(separator: ","))}"
    try server.put(
      "HTTP/1.0 200 OK\r\nContent-Type: application/json\r\n\r\n\(document)",
      at: "/.well-known/openid-configuration")
    let end = try await host.signIn()
    guard case .failed(.configuration, let message) = end else {
      Issue.record("the sign-in did not fail for the metadata: \(end)")
      return
    }
    #expect(message.contains(name), "\(message)")
    try await host.expectNothing(of: [])
  }

  /// An answer that is more than it seems; a name, because a failing test prints its arguments.
  enum Bulk: CaseIterable, Sendable {
    case endless, packed

    var effect: FaultEffect {
      var effect = FaultEffect.status(200)
      switch self {
      case .endless: effect.body = [UInt8](repeating: 0x20, count: 3_000_000)
      // A gzip member of RFC 1952 that would unpack to `{}`.
      case .packed:
        effect.body = [
          0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 0xAB, 0xAE, 5, 0, 0x43, 0xBF, 0xA6, 0xA3, 2, 0, 0, 0,
        ]
        effect.headers = [.init(name: "Content-Encoding", value: "gzip")]
      }
      return effect
    }
  }

  @Test(arguments: Bulk.allCases, [true, false])
  func ht08AnAnswerOfTheTokenEndpointThatIsTooMuchIsGivenUp(
    bulk: Bulk, revokes: Bool
  ) async throws {
    let host = try await HostFixture(revokes: revokes)
    host.provider.setFaults([FaultRule(.token, .always, bulk.effect)])
    guard case .failed(let reason, let message) = try await host.signIn() else {
      Issue.record("the answer was taken")
      return
    }
    switch bulk {
    case .endless:
      #expect(reason == .offline)
      #expect(message.contains("is larger than allowed"))
    case .packed: #expect(reason == .verificationFailed)
    }
    try await host.expectNothing(of: [.discovery, .authorize, .token])
  }
}
