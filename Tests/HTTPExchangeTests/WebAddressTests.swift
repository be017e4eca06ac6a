import HTTPExchange
import Testing

struct WebAddressTests {
  @Test(arguments: [
    ("https://id.example", "https://id.example:443/"),
    ("https://id.example:8443/a/b?c=d#e", "https://id.example:8443/a/b"),
    ("http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x"),
    ("http://127.8.9.10/", "http://127.8.9.10:80/"),
    ("http://[::1]:9/", "http://[::1]:9/"),
    ("HTTPS://ID.example/", "https://ID.example:443/"),
    ("https://localhost/", "https://localhost:443/"),
  ])
  func acceptsWhatACredentialMayGoTo(text: String, endpoint: String) throws {
    #expect(try WebAddress(text).endpoint == endpoint)
  }

  @Test(arguments: [
    "http://id.example/", "http://localhost/", "http://127.0.0.1.example/", "http://[::2]/",
    "http://0.0.0.0/", "http://128.0.0.1/", "http://[::ffff:127.0.0.1]/", "http://127.0.0.1@a.b/",
    "https://user@id.example/", "https://user:pass@id.example/", "ftp://127.0.0.1/", "file:///etc",
    "https:///x", "https://", "id.example", "/token", "", "https://id.example/a b",
    "https://id.example/\u{e9}", "https://id.example:99999/", "https://id.example:0x50/",
    "javascript:alert(1)", "https://id.example/\r\nX: y",
  ])
  func refusesEverythingElse(text: String) {
    #expect(throws: HTTPError.self) { try WebAddress(text) }
  }

  @Test func whatWasCheckedIsWhatIsContacted() throws {
    #expect(try WebAddress("http://127.1/").host == "127.0.0.1")
    #expect(try WebAddress("http://0x7f.1/").isLoopback)
  }
}
