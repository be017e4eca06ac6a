import HTTPExchange
import OIDCClient
import StrictJSON
import Testing

struct ProviderAnswerTests {
  private func answer(
    _ status: Int, _ body: String, type: String? = "application/json", retryAfter: String? = nil
  ) -> HTTPResponse {
    var fields: [(name: String, value: String)] = []
    if let type { fields.append(("Content-Type", type)) }
    if let retryAfter { fields.append(("Retry-After", retryAfter)) }
    return HTTPResponse(status: status, headers: HTTPHeaders(fields), body: Array(body.utf8))
  }

  @Test(arguments: [
    ("application/json", ""), ("application/json; charset=UTF-8", ""), ("text/plain", ""),
    ("text/html", ""), (nil, ""), ("application/json", "\u{feff}"),
  ])
  func jsonIsReadUnderAnyType(type: String?, prefix: String) throws {
    let object = try ProviderAnswer.object(
      of: answer(200, prefix + " {\"access_token\":\"a\"}", type: type), now: 0)
    #expect(object["access_token"] == .string("a"))
  }

  @Test(arguments: [
    ("{", "text"), ("[]", "object"), ("", "early"), ("{\"a\":1,\"a\":2}", "twice"),
    ("null", "object"),
    ("{\"a\":\"\u{0}\"}", "NUL"), ("{\"expires_in\":9223372036854775808}", "range"),
  ])
  func whatIsNotStrictJSONIsUnreadable(body: String, hint: String) {
    do throws(ExchangeFailure) {
      _ = try ProviderAnswer.object(of: answer(200, body), now: 0)
      Issue.record("\(body) was read")
    } catch {
      guard case .unreadable(let text) = error else {
        Issue.record("\(error)")
        return
      }
      #expect(!text.contains("\""), "\(hint)")
    }
  }

  @Test(arguments: [
    (
      200, "{\"error\":\"bad_verification_code\"}",
      ExchangeFailure.oauth(
        .other("bad_verification_code"), status: 200, retryAfter: nil)
    ),
    (400, "{\"error\":\"invalid_grant\"}", .oauth(.invalidGrant, status: 400, retryAfter: nil)),
    (401, "{\"error\":\"invalid_client\"}", .oauth(.invalidClient, status: 401, retryAfter: nil)),
    (400, "", .refused(status: 400)), (403, "no", .refused(status: 403)),
    (400, "{}", .refused(status: 400)), (400, "{\"error\":1}", .refused(status: 400)),
    (403, "<html>", .unavailable(status: 403, retryAfter: nil)),
    (200, "<!doctype html>", .unavailable(status: 200, retryAfter: nil)),
    (500, "{\"error\":\"invalid_grant\"}", .unavailable(status: 500, retryAfter: nil)),
    (502, "", .unavailable(status: 502, retryAfter: nil)),
    (429, "{\"error\":\"slow_down\"}", .unavailable(status: 429, retryAfter: nil)),
    (302, "", .unavailable(status: 302, retryAfter: nil)),
    (408, "", .unavailable(status: 408, retryAfter: nil)),
  ])
  func answersAreToldApart(status: Int, body: String, failure: ExchangeFailure) {
    let type = body.hasPrefix("<") ? "text/html" : body.isEmpty ? nil : "application/json"
    #expect(throws: failure) {
      try ProviderAnswer.object(of: answer(status, body, type: type), now: 0)
    }
  }

  @Test(arguments: [("7", 7), ("Thu, 01 Jan 1970 00:00:30 GMT", 20)] as [(String, Int64)])
  func retryAfterIsPassedOn(value: String, seconds: Int64) {
    #expect(throws: ExchangeFailure.unavailable(status: 503, retryAfter: .seconds(seconds))) {
      try ProviderAnswer.object(of: answer(503, "", retryAfter: value), now: 10)
    }
  }

  @Test(arguments: [
    ("invalid_grant", "invalid_grant"), ("invalid_code", "invalid_code"),
    ("device_not_found", "device_not_found"), ("eyJhbGciOiJSUzI1NiJ9", "unrecognised"),
    ("", "unrecognised"), ("a\u{1b}[2J", "unrecognised"), ("Invalid Grant", "unrecognised"),
  ])
  func anErrorCodeThatIsNoneIsNotRepeated(text: String, code: String) {
    #expect(OAuthError(text).code == code)
  }
}
