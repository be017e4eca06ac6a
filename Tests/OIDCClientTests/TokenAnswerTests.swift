import GrantModel
import OIDCClient
import StrictJSON
import Testing

struct TokenAnswerTests {
  private func object(_ changes: [(String, JSONValue?)] = []) -> JSONObject {
    var object = JSONObject([
      ("access_token", .string("a")), ("token_type", .string("Bearer")),
      ("expires_in", .integer(3600)), ("refresh_token", .string("r")),
    ])
    for (name, value) in changes { object[name] = value }
    return object
  }

  private func checked(_ changes: [(String, JSONValue?)]) throws -> TokenResponse {
    try TokenAnswer(object(changes)).checked(isRenewable: true)
  }

  @Test func theRefreshTokenIsThereBeforeAnythingIsChecked() throws {
    let answer = try TokenAnswer(object([("access_token", nil), ("token_type", .integer(1))]))
    #expect(answer.provisional.refreshToken?.copiedText() == "r")
    #expect(throws: ExchangeFailure.self) { try answer.checked(isRenewable: true) }
  }

  @Test(arguments: [JSONValue.null, .string(""), nil])
  func aMissingRefreshTokenKeepsTheOldOne(value: JSONValue?) throws {
    let answer = try TokenAnswer(object([("refresh_token", value)]))
    #expect(answer.provisional.refreshToken == nil)
    #expect(try answer.checked(isRenewable: true).accessToken == "a")
  }

  @Test(arguments: [JSONValue.integer(1), .string("a\nb"), .string("\u{e9}"), .array([])])
  func aRefreshTokenThatIsNoneIsRefused(value: JSONValue) {
    #expect(throws: ExchangeFailure.invalid("refresh_token is not a token")) {
      try checked([("refresh_token", value)])
    }
  }

  @Test(arguments: ["bEARER", "bearer", "Bearer", "BEARER"])
  func rp40BearerIsTakenInAnyCase(type: String) throws {
    #expect(try checked([("token_type", .string(type))]).accessToken == "a")
  }

  @Test(arguments: [JSONValue.string("mac"), .string("DPoP"), .string(""), .integer(1), nil])
  func rp40AnyOtherTypeIsRefused(type: JSONValue?) {
    #expect(throws: ExchangeFailure.invalid("token_type is not Bearer")) {
      try checked([("token_type", type)])
    }
  }

  @Test(arguments: [JSONValue.string(""), .string("a\r\nX: y"), .integer(1), .null, nil])
  func anAccessTokenThatIsNoneIsRefused(value: JSONValue?) {
    #expect(
      throws: ExchangeFailure.invalid("access_token is missing or is not a token")
    ) { try checked([("access_token", value)]) }
  }

  @Test func aTokenOfMoreThan64KiBIsRefused() {
    let long = String(repeating: "x", count: 65_537)
    #expect(throws: ExchangeFailure.self) { try checked([("access_token", .string(long))]) }
  }

  @Test(
    arguments: [
      ("refresh_expires_in", JSONValue.integer(1800), 1800),
      ("refresh_token_expires_in", .integer(15_897_600), 15_897_600),
      ("refresh_token_expires_in", .string("604799"), 604_799),
      ("refresh_expires_in", .integer(0), nil), ("refresh_expires_in", .null, nil),
      ("refresh_expires_in", .string("never"), nil), ("scope", .string("openid"), nil),
    ] as [(String, JSONValue, Int64?)])
  func theEndOfTheRefreshTokenIsReadWhereItIsStated(
    name: String, value: JSONValue, seconds: Int64?
  ) throws {
    #expect(try checked([(name, value)]).renewableFor == seconds.map { .seconds($0) })
  }

  @Test func anEndThatIsNullHidesNoOther() throws {
    let answer = try checked([
      ("refresh_token_expires_in", .null), ("refresh_expires_in", .integer(1800)),
    ])
    #expect(answer.renewableFor == .seconds(1800))
  }

  @Test(
    arguments: [
      (JSONValue.integer(3600), 3600), (.string("3600"), 3600), (.real(3600.9), 3600),
      (.integer(-1), 0), (.integer(0), 0), (.string("-5"), 0), (.real(1e9), 2_592_000),
      (.integer(.max), 2_592_000), (.integer(.min), 0), (.string("9223372036854775807"), 2_592_000),
    ] as [(JSONValue, Int64)])
  func rp41LifetimesAreReadAndCut(value: JSONValue, seconds: Int64) throws {
    #expect(try checked([("expires_in", value)]).lifetime == .seconds(seconds))
  }

  @Test(arguments: [
    JSONValue.null, .string("soon"), .string(""), .bool(true), .array([]), nil,
    .string("9223372036854775808"),
  ])
  func rp39ALifetimeThatIsNotStatedIsUnknown(value: JSONValue?) throws {
    #expect(try checked([("expires_in", value)]).lifetime == nil)
  }

  @Test func rp41OnlyARenewableTokenIsCut() throws {
    let answer = try TokenAnswer(
      object([("refresh_token", nil), ("expires_in", .integer(31_536_000))]))
    #expect(try answer.checked(isRenewable: false).lifetime == .seconds(31_536_000))
  }

  @Test(arguments: [
    (JSONValue.string("openid profile"), "openid profile"),
    (.array([.string("openid"), .string("profile")]), "openid profile"),
    (.string(" a  b "), "a b"), (.string(""), nil), (.null, nil), (.integer(1), nil), (nil, nil),
    (.string("a\nb"), nil), (.string("a\"b"), nil),
  ])
  func rp43TheScopeIsThatOfTheAnswer(value: JSONValue?, scope: String?) throws {
    #expect(try checked([("scope", value)]).scope == scope)
  }

  @Test func anErrorBesidesATokenIsRefused() {
    #expect(throws: ExchangeFailure.invalid("it has an error besides a token")) {
      try checked([("error", .string("invalid_grant"))])
    }
  }

  @Test func nothingShowsATokenOfIt() throws {
    let secret = "sentinel"
    let answer = try TokenAnswer(
      object([
        ("access_token", .string(secret)), ("refresh_token", .string(secret)),
        ("id_token", .string(secret)),
      ]))
    let response = try answer.checked(isRenewable: true)
    var dumped = ""
    dump(answer, to: &dumped)
    dump(response, to: &dumped)
    for text in ["\(answer)", "\(response)", String(reflecting: response), dumped] {
      #expect(!text.contains(secret))
    }
  }
}
