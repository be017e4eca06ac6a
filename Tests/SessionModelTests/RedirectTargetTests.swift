import SessionModel
import Testing

@Suite struct RedirectTargetTests {
  @Test(arguments: [
    ("http://127.0.0.1:8400/callback", 8400, "http://127.0.0.1:8400/callback"),
    ("http://127.0.0.1/callback", 0, "http://127.0.0.1:7/callback"),
    ("http://[::1]:9/a/b", 9, "http://[::1]:9/a/b"),
    ("http://localhost:8080", 8080, "http://localhost:8080"),
    ("http://localhost:8080/", 8080, "http://localhost:8080/"),
  ])
  func theURIIsKeptByteForByte(uri: String, port: UInt16, used: String) throws {
    let target = try RedirectTarget(uri: uri)
    #expect(target.port == port)
    #expect(target.uri(port: port == 0 ? 7 : port) == used)
  }

  @Test(arguments: [
    ("https://127.0.0.1:1/", "notLoopback"), ("http://evil.example:1/", "notLoopback"),
    ("http://127.0.0.1.evil.example/", "notLoopback"), ("http://127.0.0.1@evil/", "notLoopback"),
    ("http://localhosts:1/", "notLoopback"), ("http://127.0.0.1:0/", "port"),
    ("http://127.0.0.1:/", "port"), ("http://127.0.0.1:65536/", "port"),
    ("http://127.0.0.1:+80/", "port"), ("http://127.0.0.1:1@evil/", "port"),
    ("http://127.0.0.1:1/?a=b", "path"), ("http://127.0.0.1:1/#f", "path"),
    ("http://127.0.0.1:1/%2f", "path"), ("http://127.0.0.1:1/a b", "path"), ("", "notLoopback"),
    ("http://127.0.0.1:1/\u{7}", "path"),
  ])
  func anotherURIIsRefused(uri: String, reason: String) {
    let error = #expect(throws: RedirectTargetError.self) { _ = try RedirectTarget(uri: uri) }
    let expected: RedirectTargetError =
      switch reason {
      case "port": .port(uri)
      case "path": .path(uri)
      default: .notLoopback(uri)
      }
    #expect(error == expected)
    #expect(error?.description.contains("redirect \(PrintableText.quoted(uri))") == true)
  }
}
