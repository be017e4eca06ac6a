import HTTPExchange
import Testing

struct HTTPResponseTests {
  private func answer(_ name: String, _ value: String) -> HTTPResponse {
    HTTPResponse(status: 503, headers: HTTPHeaders([(name, value)]), body: [])
  }

  @Test(arguments: [
    ("120", 120), ("0", 0), (" 7", 7), ("Thu, 01 Jan 1970 00:20:00 GMT", 200),
    ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777), ("Thu Jan  1 00:20:00 1970", 200),
    ("Thu, 01 Jan 1970 00:00:01 GMT", 0), ("99999999999999999999", 2_147_483_647),
  ])
  func retryAfterIsSecondsOrADate(value: String, seconds: Int64) {
    #expect(
      answer("retry-after", value).retryAfter(now: seconds > 1_000_000 ? 0 : 1000)
        == .seconds(seconds))
  }

  @Test(arguments: ["", "soon", "-5", "1.5", "2030"])
  func retryAfterThatCannotBeReadIsNone(value: String) {
    let expected: Duration? = value == "2030" ? .seconds(2030) : nil
    #expect(answer("Retry-After", value).retryAfter(now: 1000) == expected)
  }

  @Test(arguments: [
    ("application/json", "application/json"),
    ("Application/JSON;charset=utf-8", "application/json"),
    ("text/html ; x", "text/html"), ("", nil), (";", nil),
  ])
  func contentTypeHasNoParameters(value: String, type: String?) {
    #expect(answer("Content-Type", value).contentType == type)
  }
}
