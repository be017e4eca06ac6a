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

  // 784_111_777 is the example of RFC 9110, 5.6.7.
  @Test(arguments: [
    (784_111_777, 784_111_777, nil, 0), (784_111_776, 784_111_778, nil, 0),
    (784_111_778, 784_111_779, nil, 0), (784_111_779, 784_111_780, nil, 2),
    (784_111_770, 784_111_775, nil, -2), (784_111_770, 784_111_776, nil, 0),
    (784_118_977, 784_118_977, nil, 7200), (784_118_977, 784_118_978, "7200", 0),
    (784_111_777, 784_111_777, "soon", 0), (784_111_777, 784_111_777, "-60", 0),
    (784_111_777, 784_111_777, "9223372036854775807", -2_147_483_647),
  ])
  func aDateIsComparedWithThisClock(sent: Int64, received: Int64, age: String?, lead: Int64) {
    let answer = HTTPResponse(
      status: 200,
      headers: HTTPHeaders(
        [("date", "Sun, 06 Nov 1994 08:49:37 GMT")] + (age.map { [("Age", $0)] } ?? [])),
      body: [])
    #expect(answer.clockLead(sent: sent, received: received) == .seconds(lead))
  }

  @Test func withoutADateNothingIsSaidOfTheClock() {
    #expect(answer("Date", "today").clockLead(sent: 0, received: 0) == nil)
    #expect(answer("Age", "1").clockLead(sent: 0, received: 0) == nil)
  }
}
