import DevelopmentProvider
import LoopbackHTTP
import Testing

@Suite struct FaultRuleTests {
  @Test(arguments: [
    ("token:3-6:503", ProviderEndpoint?.some(.token), FaultRule.Occasion.requests(3...6), 503),
    ("token:3:429", .token, .requests(3...3), 429), ("*:2-:500", nil, .requests(2...Int.max), 500),
    ("device-authorization:*:400", .deviceAuthorization, .always, 400),
  ])
  func textBecomesARule(
    text: String, endpoint: ProviderEndpoint?, occasion: FaultRule.Occasion, status: Int
  ) throws {
    let rule = try FaultRule(text: text)
    #expect(rule.endpoint == endpoint && rule.occasion == occasion)
    #expect(rule.effect.status == status && !rule.effect.drops)
  }

  @Test func effectsAreJoinedByCommas() throws {
    let effect = try FaultRule(text: "token:1:503,delay=250ms,retry-after=5,html").effect
    #expect(effect.status == 503 && effect.delay == .milliseconds(250))
    #expect(effect.headers.map(\.name) == ["Retry-After", "Content-Type"])
    #expect(effect.headers.first?.value == "5" && effect.body?.isEmpty == false)
    #expect(try FaultRule(text: "token:1:delay=2m30s").effect.delay == .seconds(150))
    #expect(try FaultRule(text: "token:1:drop").effect.drops)
    #expect(try FaultRule(text: "token:1:lose").effect.losesAnswer)
  }

  @Test(arguments: [
    ("token:3", "fault \"token:3\" is not ENDPOINT:WHEN:WHAT, such as token:3-6:503"),
    (
      "tokens:1:503",
      "there is no endpoint \"tokens\": use discovery, server-metadata, keys,"
        + " pushed-authorization, authorize, token, device-authorization, device, userinfo, revoke, end-session, introspect, register or *"
    ),
    (
      "token:6-3:503",
      "\"6-3\" says no request: use a number, a range such as 3-6 or 3-, or *"
    ),
    ("token:0:503", "\"0\" says no request: use a number, a range such as 3-6 or 3-, or *"),
    (
      "token:1:99",
      "\"99\" is no fault: use a status code, drop, lose, delay=2s, retry-after=N or html,"
        + " joined by commas"
    ),
  ])
  func wrongTextIsExplained(text: String, message: String) {
    let error = #expect(throws: FaultTextError.self) { _ = try FaultRule(text: text) }
    #expect(error?.description == message)
  }

  @Test func anOutageComesAndGoes() throws {
    var script = FaultScript([try FaultRule(outage: "20s:10s:60s")])
    for (seconds, drops) in [
      (0, false), (19, false), (20, true), (29, true), (30, false), (79, false), (80, true),
      (89, true), (90, false), (3_620, true),
    ] {
      let effect = script.effect(at: .keys, elapsed: .seconds(seconds))
      #expect((effect?.drops == true) == drops, "after \(seconds) s")
    }
    var once = FaultScript([try FaultRule(outage: "1s:1s")])
    #expect(once.effect(at: .token, elapsed: .milliseconds(1_999))?.drops == true)
    #expect(once.effect(at: .token, elapsed: .seconds(62)) == nil)
  }

  @Test(arguments: ["20s", "20:10", "20s:10s:60s:1s", "20s:x", "5s:10s:10s", ":"])
  func aWrongOutageIsRefused(text: String) {
    #expect(throws: FaultTextError.self) { _ = try FaultRule(outage: text) }
  }

  @Test func requestsAreCountedForEachEndpoint() throws {
    var script = FaultScript([
      try FaultRule(text: "token:2-3:503"), FaultRule(nil, .requests(3...3), .status(500)),
    ])
    func status(_ endpoint: ProviderEndpoint) -> Int? {
      script.effect(at: endpoint, elapsed: .zero)?.status
    }
    #expect((1...4).map { _ in status(.token) } == [nil, 503, 503, nil])
    #expect((1...4).map { _ in status(.userinfo) } == [nil, nil, 500, nil])
  }
}
