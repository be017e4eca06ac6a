import DevelopmentProvider
import GrantModel
import HostControl
import JOSE
import SessionHost
import SessionModel
import StrictJSON
import TestSupport
import Testing

/// Sign-ins at a whole host that succeed, and what the provider's keys have to do with it.
@Suite(.timeLimit(.minutes(2)), .serialized)
struct SignInKeyTests {
  @Test func rp01ASignInTakesOneRequestOfEachKind() async throws {
    let host = try await HostFixture()
    let url = EventRecorder<String>()
    let end = try await host.signIn { event in
      if case .authorize(let text, _) = event { url.record(text) }
      try await HostFixture.browse(event)
    }
    #expect(end == .signedIn(.primary))
    #expect(
      host.provider.requests.map(\.endpoint)
        == [.discovery, .authorize, .token, .keys, .userinfo])
    let asked = try Response(url.events[0])
    #expect(asked["scope"]?.hasPrefix("openid%20") == true)
    #expect(asked["code_challenge_method"] == "S256")
    #expect(asked["redirect_uri"]?.hasPrefix("http%3A%2F%2F127.0.0.1%3A") == true)
    #expect(host.hasSnapshot())
    let status = try await host.status()
    #expect(status?.session == "valid")
    #expect(status?.account == "alice@example.com")
    #expect(try host.stored()?.signInToken == nil)
  }

  @Test func rp20ATokenWithoutAKeyNameIsTriedWithTheOneKey() async throws {
    let host = try await HostFixture()
    host.provider.overrides.idToken = [.removeHeader("kid")]
    #expect(try await host.signIn() == .signedIn(.primary))
  }

  @Test func rp21ATokenWithoutAKeyNameIsTriedWithEachKeyThatFits() async throws {
    let host = try await HostFixture()
    host.provider.rotateKey(to: try TestKeys.shared.get().other)
    host.provider.overrides.idToken = [.removeHeader("kid")]
    #expect(try await host.signIn() == .signedIn(.primary))
  }

  private static let brokenKeys = """
    {"kty":"RSA","kid":"a","n":"!!","e":"AQAB"},{"kty":"odd","kid":"b"},\
    {"kty":"RSA","kid":"c","e":"AQAB","n":"\(String(repeating: "q", count: 171))"}
    """

  @Test func rp22BrokenKeysBesideAGoodOneArePassedOver() async throws {
    let host = try await HostFixture()
    let good = String(decoding: try TestKeys.shared.get().rsa.publicJSON, as: UTF8.self)
    host.provider.overrides.keySet = Array("{\"keys\":[\(Self.brokenKeys),\(good)]}".utf8)
    #expect(try await host.signIn() == .signedIn(.primary))
  }

  @Test(arguments: [true, false])
  func rp22ASetOfBrokenKeysIsRefused(revokes: Bool) async throws {
    let host = try await HostFixture(revokes: revokes)
    host.provider.overrides.keySet = Array("{\"keys\":[\(Self.brokenKeys)]}".utf8)
    try await host.expectRefusal(
      "the provider's answer failed a check: ID token:"
        + " the token names a key that the key set does not hold; fetch the key set again",
      requests: IDTokenRefusalTests.requests)
  }

  @Test func rp23AKeyMadeJustBeforeSigningIsFetchedOnce() async throws {
    let host = try await HostFixture()
    #expect(try await host.signIn() == .signedIn(.primary))
    let end = try await host.signIn { event in
      host.provider.rotateKey(to: try TestKeys.shared.get().other, keepsOld: false)
      try await HostFixture.browse(event)
    }
    #expect(end == .signedIn(.primary))
    #expect(host.provider.count(of: .keys) == 2)
  }

  @Test func rp24KeysThatWereRotatedBetweenTwoSignInsAreFetchedAgain() async throws {
    let host = try await HostFixture()
    #expect(try await host.signIn() == .signedIn(.primary))
    host.provider.rotateKey(to: try TestKeys.shared.get().other)
    #expect(try await host.signIn() == .signedIn(.primary))
    #expect(host.provider.count(of: .keys) == 2)
    #expect(try await host.signIn() == .signedIn(.primary))
    #expect(host.provider.count(of: .keys) == 2)
  }

  @Test func rp25AHundredUnknownKeysAreWorthOneFetch() async throws {
    let host = try await HostFixture()
    #expect(try await host.signIn() == .signedIn(.primary))
    let before = try await host.status()
    for number in 1...100 {
      // As fast as the host lets anybody sign in.
      try await host.pass(RequestAllowance.interval)
      host.provider.overrides.idToken = [.setHeader("kid", .string("unknown-\(number)"))]
      let end = try await host.signIn()
      #expect(
        end
          == .failed(
            .verificationFailed,
            message: "the provider's answer failed a check: ID token:"
              + " the token names a key that the key set does not hold; fetch the key set again"))
    }
    #expect(host.provider.count(of: .keys) == 2)
    #expect(host.provider.count(of: .userinfo) == 1)
    let after = try await host.status()
    #expect(after?.session == "valid")
    #expect(after?.generation == before?.generation)
    #expect(try host.stored()?.grant != nil)
  }
}
