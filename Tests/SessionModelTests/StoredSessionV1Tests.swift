import SessionModel
import Testing

@Suite struct StoredSessionV1Tests {
  private let record = StoredSessionV1(
    issuer: "https://issuer.example", clientId: "desktop", accessToken: "access-sentinel",
    tokenType: "Bearer", refreshToken: "refresh-sentinel", idToken: "id-sentinel",
    scope: "openid", expiresAt: UnixTime(rawValue: 5))

  @Test func noWayOfPrintingShowsAToken() {
    var dumped = ""
    dump(record, to: &dumped)
    dump([record], to: &dumped)
    for text in [
      "\(record)", String(describing: record), String(reflecting: record), dumped,
      "\([record])", "\(Optional(record) as Any)", String(reflecting: ["x": record]),
    ] {
      #expect(!text.contains("sentinel"), "\(text)")
    }
    #expect("\(record)" == "session of desktop at https://issuer.example")
  }

  @Test func theHostsTokensCanBeLeftOut() {
    let reduced = record.withoutHostTokens
    #expect(reduced.refreshToken == nil)
    #expect(reduced.idToken == nil)
    #expect(reduced.accessToken == record.accessToken)
    #expect(reduced.scope == record.scope)
    #expect(reduced.expiresAt == record.expiresAt)
    #expect(reduced.withoutHostTokens == reduced)
  }
}
