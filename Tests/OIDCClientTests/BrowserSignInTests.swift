import DevelopmentProvider
import GrantModel
import HTTPExchange
import JOSE
import LoopbackHTTP
import OIDCClient
import SessionModel
import StrictJSON
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct BrowserSignInTests {
  @Test func rp01ASignInTakesOneRequestOfEachKind() async throws {
    let fixture = try ClientFixture()
    let journal = RecordingJournal()
    let outcome = await fixture.signIn(fixture.source(), journal: journal)
    let grant = try outcome.issuedGrant()
    #expect(grant.issuer == fixture.provider.issuer)
    #expect(grant.clientId == "desktop")
    #expect(grant.subject == "alice-0001")
    #expect(grant.accountName == "alice@example.com")
    #expect(grant.tokenType == "Bearer")
    #expect(grant.scope == "openid profile email offline_access")
    #expect(grant.issuedAt == fixture.now)
    #expect(grant.expiresAt == fixture.now + .seconds(300))
    #expect(grant.idToken != nil)
    #expect(journal.tokens == [grant.refreshToken?.copiedText()])
    for endpoint in [ProviderEndpoint.discovery, .authorize, .token, .keys, .userinfo] {
      #expect(fixture.provider.count(of: endpoint) == 1, "\(endpoint)")
    }
    guard case .authorize(let url)? = fixture.prompts.events.first else {
      Issue.record("no authorization URL was shown")
      return
    }
    #expect(url.hasPrefix(fixture.provider.issuer + "/authorize?"))
    #expect(url.contains("scope=openid%20"))
    #expect(url.contains("&redirect_uri=http%3A%2F%2F127.0.0.1%3A"))
  }

  @Test(
    arguments: [
      ([TokenMutation.setClaim("iss", .string("https://other"))], "iss is another issuer"),
      ([.removeClaim("iss")], "iss is missing"), ([.removeClaim("sub")], "sub is missing"),
      ([.setClaim("aud", .string("desktop1"))], "aud is not this client alone"),
      ([.removeClaim("aud")], "aud is missing"),
      (
        [.setClaim("aud", .array([.string("desktop"), .string("x")])), .removeClaim("azp")],
        "aud is not this client alone"
      ),
      ([.setClaim("azp", .string("other"))], "azp is another client"),
      ([.removeClaim("iat")], "iat is missing"), ([.removeClaim("exp")], "exp is missing"),
      ([.setClaim("nonce", .string("x"))], "nonce is not the one that was sent"),
      ([.removeClaim("nonce")], "nonce is missing"),
      ([.setClaim("at_hash", .string("AAAA"))], "at_hash is not that of the access token"),
      ([.breakSignature], "the token's signature is not valid"),
      ([.foreignKey], "the token's signature is not valid"),
      (
        [.unsigned(algorithm: "none")],
        "the token is signed with an algorithm that is not allowed; choose another at the provider"
      ),
      (
        [.setHeader("crit", .array([.string("exp")]))],
        "the token's header holds crit, which is not supported"
      ),
    ] as [([TokenMutation], String)])
  func afterABadIDTokenNothingMoreIsSent(
    mutations: [TokenMutation], check: String
  ) async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.idToken = mutations
    let outcome = await fixture.signIn(fixture.source())
    #expect(
      outcome.summary == "terminal: the provider's answer failed a check: ID token: \(check)")
    #expect(fixture.provider.count(of: .userinfo) == 0)
    #expect(fixture.provider.count(of: .token) == 1)
    #expect(fixture.provider.count(of: .revoke) == 0)
  }

  @Test func rp19AnAlgorithmThatIsNotRegisteredIsRefused() async throws {
    let fixture = try ClientFixture()
    let outcome = await fixture.signIn(fixture.source { $0.idTokenAlgorithms = [.es256] })
    #expect(outcome.summary.contains("an algorithm that is not allowed"))
  }

  @Test func anIDTokenThatWasAskedForMustCome() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.tokenResponse = [.remove("id_token")]
    let outcome = await fixture.signIn(fixture.source())
    #expect(
      outcome.summary
        == "terminal: the provider's answer failed a check: ID token: there is none")
  }

  @Test func rp22OnlyUsableKeysCount() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.keySet = Array("{\"keys\":[{\"kty\":\"odd\"}]}".utf8)
    let outcome = await fixture.signIn(fixture.source())
    #expect(outcome.summary.hasPrefix("terminal: the provider's answer failed a check: ID token"))
  }

  @Test func rp23AndRp24AKeyThatIsNewIsFetchedOnce() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    _ = try await fixture.grant(source)
    fixture.provider.rotateKey(to: try TestKeys.shared.get().other)
    _ = try await fixture.grant(source)
    #expect(fixture.provider.count(of: .keys) == 2)
    _ = try await fixture.grant(source)
    #expect(fixture.provider.count(of: .keys) == 2)
  }

  @Test func rp25UnknownKeysAreFetchedOncePerCoolDown() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    _ = try await fixture.grant(source)
    for number in 1...5 {
      fixture.provider.overrides.idToken = [.setHeader("kid", .string("unknown-\(number)"))]
      #expect(await fixture.signIn(source).summary.contains("a key that the key set does not hold"))
    }
    #expect(fixture.provider.count(of: .keys) == 2)
    fixture.clock.advance(by: .seconds(299))
    _ = await fixture.signIn(source)
    #expect(fixture.provider.count(of: .keys) == 2)
    fixture.clock.advance(by: .seconds(1))
    _ = await fixture.signIn(source)
    #expect(fixture.provider.count(of: .keys) == 3)
  }

  @Test func rp26MetadataOfAnotherIssuerIsNotUsed() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [.set("issuer", .string(fixture.provider.issuer + "/"))]
    let outcome = await fixture.signIn(fixture.source())
    #expect(
      outcome.summary == "terminal: the provider's metadata names another issuer; set `issuer`"
        + " to exactly the one it names")
    #expect(fixture.provider.count(of: .authorize) == 0)
    #expect(fixture.prompts.events.isEmpty)
  }

  @Test func rp27TheKeysOfTheDocumentAreUsed() async throws {
    let fixture = try ClientFixture()
    let other = try LoopbackProvider(ProviderConfiguration(), key: TestKeys.shared.get().other)
    defer { other.stop() }
    fixture.provider.overrides.discovery = [.set("jwks_uri", .string(other.issuer + "/jwks"))]
    let outcome = await fixture.signIn(fixture.source())
    #expect(outcome.summary.contains("a key that the key set does not hold"))
    #expect(other.count(of: .keys) == 1)
    #expect(fixture.provider.count(of: .keys) == 0)
  }

  @Test(arguments: [ProviderEndpoint.discovery, .keys])
  func rp28ADocumentThatCannotBeHadIsSaid(endpoint: ProviderEndpoint) async throws {
    let fixture = try ClientFixture()
    var page = FaultEffect.status(200)
    page.headers = [.init(name: "Content-Type", value: "text/html")]
    page.body = Array("<html>".utf8)
    var redirect = FaultEffect.status(302)
    redirect.headers = [.init(name: "Location", value: fixture.provider.issuer)]
    var large = FaultEffect.status(200)
    large.body = [UInt8](repeating: 0x20, count: 3_000_000)
    for (effect, text) in [
      (.status(500), "status 500"), (page, "status 200"), (redirect, "status 302"),
      (large, "larger than allowed"), (.drop, "ended before the answer was complete"),
    ] as [(FaultEffect, String)] {
      fixture.provider.setFaults([FaultRule(endpoint, .always, effect)])
      let outcome = await fixture.signIn(fixture.source())
      #expect(outcome.summary.hasPrefix("transient: "))
      #expect(outcome.summary.contains(text))
    }
    #expect(fixture.provider.count(of: .userinfo) == 0)
  }

  @Test func rp30UserInfoOfAnotherAccountEndsTheSignIn() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.userinfo = [.set("sub", .string("alice-00011"))]
    let outcome = await fixture.signIn(fixture.source())
    #expect(
      outcome.summary
        == "terminal: the provider's answer is about another account: UserInfo: sub is not that of the ID token"
    )
  }

  @Test(arguments: [FaultEffect.status(500), .status(403), .drop])
  func aProviderWithoutUserInfoCostsTheNameOnly(effect: FaultEffect) async throws {
    let fixture = try ClientFixture()
    fixture.provider.setFaults([FaultRule(.userinfo, .always, effect)])
    #expect(try await fixture.grant(fixture.source()).subject == "alice-0001")
  }

  @Test func rp34AndRp35TheIssuerOfTheResponseIsChecked() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.authorizationResponse = [.set("iss", .string("https://other"))]
    #expect(
      await fixture.signIn(fixture.source()).summary
        == "terminal: the answer did not belong to this sign-in: its iss is another issuer")
    fixture.provider.overrides.authorizationResponse = [.remove("iss")]
    #expect(
      await fixture.signIn(fixture.source()).summary
        == "terminal: the answer did not belong to this sign-in: it has no iss")
    #expect(fixture.provider.count(of: .token) == 0)
  }

  @Test func rp37APersonsNoIsSaid() async throws {
    let fixture = try ClientFixture { $0.approval = .denied }
    let outcome = await fixture.signIn(fixture.source())
    #expect(outcome.summary == "terminal: access was denied at the provider")
    #expect(fixture.provider.count(of: .token) == 0)
  }

  @Test func rp39AndRp43LifetimeAndScopeAreThoseOfTheAnswer() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.tokenResponse = [
      .remove("expires_in"), .set("scope", .string("openid email")),
    ]
    let grant = try await fixture.grant(fixture.source())
    #expect(grant.expiresAt == nil)
    #expect(grant.scope == "openid email")
  }

  @Test func rp40AnotherTokenTypeIsRefused() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.tokenResponse = [.set("token_type", .string("mac"))]
    let outcome = await fixture.signIn(fixture.source())
    #expect(
      outcome.summary == "terminal: the provider's answer failed a check: token_type is not Bearer")
    #expect(fixture.provider.count(of: .userinfo) == 0)
  }

  @Test func rp45AnInjectedCodeIsTriedOnce() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.authorizationResponse = [.set("code", .string("stolen"))]
    let outcome = await fixture.signIn(fixture.source())
    #expect(outcome.summary == "terminal: the provider answered with the error invalid_grant")
    #expect(fixture.provider.count(of: .token) == 1)
  }

  @Test func pk03AProviderKnownToLackS256IsRefusedUnlessAllowed() async throws {
    let fixture = try ClientFixture()
    fixture.provider.overrides.discovery = [
      .set("code_challenge_methods_supported", .array([.string("plain")]))
    ]
    let outcome = await fixture.signIn(fixture.source())
    #expect(
      outcome.summary == "terminal: the provider's metadata lists no S256, so an injected code"
        + " could not be told apart")
    #expect(fixture.provider.count(of: .authorize) == 0)
    _ = try await fixture.grant(fixture.source { $0.allowsMissingProofKeySupport = true })
    guard case .authorize(let url)? = fixture.prompts.events.last else {
      Issue.record("no authorization URL was shown")
      return
    }
    #expect(url.contains("code_challenge_method=S256"))
  }

  @Test func aSecretWithEveryCharacterIsUnderstoodByBothMethods() async throws {
    let secret = "a b+c:d%e&f=g\u{e9}"
    for method in ["client_secret_basic", "client_secret_post"] {
      let fixture = try ClientFixture {
        $0.clients = [
          ProviderClient(
            identifier: "a:b c", secret: secret, redirectURIs: ["http://127.0.0.1/callback"])
        ]
      }
      fixture.provider.overrides.discovery = [
        .set("token_endpoint_auth_methods_supported", .array([.string(method)]))
      ]
      let source = fixture.source {
        $0.clientId = "a:b c"
        $0.authentication = .secret { () throws(ClientSecretError) in secret }
      }
      let grant = try await fixture.grant(source)
      _ = try await source.renew(grant, journal: RecordingJournal()).issuedGrant()
    }
  }

  @Test func aSecretThatCannotBeReadIsSaid() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source {
      $0.authentication = .basic { () throws(ClientSecretError) in
        throw ClientSecretError("the secret's file is missing")
      }
    }
    #expect(
      await fixture.signIn(source).summary == "transient: the secret's file is missing, no wait")
    #expect(fixture.provider.count(of: .token) == 0)
  }

  @Test func aSignInThatIsCalledOffClosesItsPort() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let prompts = fixture.prompts
    let task = Task {
      await source.signIn(SignInRequest(flow: .browser), journal: RecordingJournal()) {
        prompts.record($0)
      }
    }
    guard case .authorize(let url) = try await prompts.wait(count: 1)[0] else {
      Issue.record("no authorization URL was shown")
      return
    }
    task.cancel()
    #expect(await task.value.summary == "terminal: the sign-in was cancelled")
    let port = try #require(url.split(separator: "127.0.0.1%3A").dropFirst().first?.prefix(5))
    let digits = port.prefix { $0.isNumber }
    await #expect(throws: HTTPError.self) {
      try await HTTPClient().send(HTTPRequest(url: "http://127.0.0.1:\(digits)/callback"))
    }
  }

  @Test func aPersonWhoNeverComesBackEndsTheSignIn() async throws {
    let fixture = try ClientFixture()
    let source = fixture.source()
    let clock = fixture.clock
    let task = Task {
      await source.signIn(SignInRequest(flow: .browser), journal: RecordingJournal()) { _ in }
    }
    #expect(try await clock.advanceToNextSleeper() == .seconds(300))
    #expect(await task.value.summary == "terminal: the sign-in was not finished in time")
  }

  @Test func aJournalThatFailsStopsEverything() async throws {
    let fixture = try ClientFixture()
    let outcome = await fixture.signIn(
      fixture.source(), journal: RecordingJournal(failure: JournalError("disk full")))
    #expect(outcome.summary == "transient: disk full, no wait")
    #expect(fixture.provider.count(of: .keys) == 0)
    #expect(fixture.provider.count(of: .userinfo) == 0)
  }

  @Test func plainOAuthNeedsNoMetadata() async throws {
    let fixture = try ClientFixture()
    let issuer = fixture.provider.issuer
    let source = fixture.source {
      $0.issuer = issuer
      $0.scopes = ["repo"]
      $0.endpoints = EndpointOverrides(
        authorization: issuer + "/authorize", token: issuer + "/token")
    }
    let grant = try await fixture.grant(source)
    #expect(grant.idToken == nil)
    #expect(grant.subject == nil)
    #expect(fixture.provider.count(of: .discovery) == 0)
  }
}
