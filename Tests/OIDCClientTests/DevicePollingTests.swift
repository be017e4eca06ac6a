import GrantModel
import HTTPExchange
import OIDCClient
import StrictJSON
import Testing

struct DevicePollingTests {
  private static let pending = ExchangeFailure.oauth(
    .authorizationPending, status: 400, retryAfter: nil)
  private static let slowDown = ExchangeFailure.oauth(.slowDown, status: 400, retryAfter: nil)

  private static func lost(_ code: HTTPError.Code) -> ExchangeFailure {
    .transport(HTTPError(code, requestWasSent: true, endpoint: "https://id.example:443/token"))
  }

  private func authorization(
    _ changes: [(String, JSONValue?)] = []
  ) throws(ExchangeFailure) -> DeviceAuthorization {
    var object = JSONObject([
      ("device_code", .string("d")), ("user_code", .string("ABCD-EFGH")),
      ("verification_uri", .string("https://id.example/device")),
      ("verification_uri_complete", .string("https://id.example/device?c=ABCD-EFGH")),
      ("expires_in", .integer(600)),
    ])
    for (name, value) in changes { object[name] = value }
    return try DeviceAuthorization(object)
  }

  @Test(
    arguments: [
      (nil, 5), (JSONValue.integer(7), 7), (.integer(0), 1), (.integer(-3), 1), (.string("9"), 9),
      (.null, 5),
    ] as [(JSONValue?, Int64)])
  func dv01PollsAreAnIntervalApart(interval: JSONValue?, seconds: Int64) throws {
    var polling = DevicePolling(try authorization([("interval", interval)]), now: .zero)
    #expect(polling.first(now: .zero) == .wait(.seconds(seconds)))
    #expect(polling.step(after: Self.pending, now: .seconds(20)) == .wait(.seconds(seconds)))
  }

  @Test func dv02SlowDownAddsFiveSecondsForGood() throws {
    var polling = DevicePolling(try authorization(), now: .zero)
    for seconds in [10, 15, 20] {
      #expect(polling.step(after: Self.slowDown, now: .zero) == .wait(.seconds(seconds)))
    }
    #expect(polling.step(after: Self.pending, now: .zero) == .wait(.seconds(20)))
    #expect(polling.interval == .seconds(20))
  }

  @Test(arguments: [
    ExchangeFailure.oauth(.expiredToken, status: 400, retryAfter: nil),
    .oauth(.accessDenied, status: 400, retryAfter: nil),
    .oauth(.other("odd"), status: 400, retryAfter: nil), .refused(status: 400),
    .unreadable("x"), lost(.tls), lost(.cancelled),
  ])
  func dv03AnyOtherErrorStops(failure: ExchangeFailure) throws {
    var polling = DevicePolling(try authorization(), now: .zero)
    #expect(polling.step(after: failure, now: .zero) == .stop(failure))
  }

  @Test func dv03ThePollsEndWithTheCode() throws {
    var polling = DevicePolling(try authorization(), now: .seconds(100))
    #expect(polling.step(after: Self.pending, now: .seconds(694)) == .wait(.seconds(5)))
    #expect(polling.step(after: Self.pending, now: .seconds(695)) == .expired)
    #expect(polling.step(after: Self.slowDown, now: .seconds(10_000)) == .expired)
  }

  @Test func dv04ALostConnectionHalvesTheFrequency() throws {
    var polling = DevicePolling(try authorization(), now: .zero)
    #expect(polling.step(after: Self.lost(.timeout), now: .zero) == .wait(.seconds(10)))
    #expect(polling.step(after: Self.lost(.connect), now: .zero) == .wait(.seconds(20)))
    #expect(polling.step(after: Self.pending, now: .zero) == .wait(.seconds(20)))
    #expect(polling.step(after: Self.lost(.timeout), now: .seconds(560)) == .expired)
  }

  @Test func anOverloadedProviderIsAskedLessOftenAndAfterTheWaitItNames() throws {
    var polling = DevicePolling(try authorization(), now: .zero)
    #expect(
      polling.step(after: .unavailable(status: 503, retryAfter: .seconds(60)), now: .zero)
        == .wait(.seconds(60)))
    #expect(
      polling.step(after: .unavailable(status: 500, retryAfter: nil), now: .zero)
        == .wait(.seconds(20)))
  }

  @Test func whatIsShownIsWhatTheProviderSaid() throws {
    let instructions = try authorization().instructions
    #expect(instructions.userCode == "ABCD-EFGH")
    #expect(instructions.verificationURI == "https://id.example/device")
    #expect(instructions.completeVerificationURI == "https://id.example/device?c=ABCD-EFGH")
    #expect(instructions.validFor == .seconds(600))
    let older = try authorization([
      ("verification_uri", nil), ("verification_url", .string("https://id.example/d")),
    ])
    #expect(older.instructions.verificationURI == "https://id.example/d")
  }

  @Test(
    arguments: [
      ("device_code", nil, "device_code is missing or is not a code"),
      ("device_code", JSONValue.integer(1), "device_code is missing or is not a code"),
      ("user_code", nil, "user_code is missing or cannot be shown"),
      ("user_code", .string("a\u{1b}[2Jb"), "user_code is missing or cannot be shown"),
      ("verification_uri", nil, "verification_uri is missing or is not an https URL"),
      (
        "verification_uri", .string("http://id.example/device"),
        "verification_uri is missing or is not an https URL"
      ),
      (
        "verification_uri", .string("javascript:x"),
        "verification_uri is missing or is not an https URL"
      ),
      ("expires_in", nil, "expires_in is missing"),
    ] as [(String, JSONValue?, String)])
  func aResponseThatCannotBeUsedIsRefused(name: String, value: JSONValue?, text: String) {
    #expect(throws: ExchangeFailure.invalid(text)) { try authorization([(name, value)]) }
  }

  @Test func dv05NothingShowsTheDeviceCode() throws {
    let authorization = try authorization([("device_code", .string("sentinel"))])
    var dumped = ""
    dump(authorization, to: &dumped)
    #expect(!"\(authorization)\(String(reflecting: authorization))\(dumped)".contains("sentinel"))
  }
}
