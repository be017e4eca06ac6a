import HTTPExchange
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPErrorTests {
  private static let endpoint = "https://id.example:443/token"

  @Test(arguments: [
    (HTTPError.Code.resolve, "the host name of \(endpoint) could not be resolved"),
    (.connect, "no connection to \(endpoint)"),
    (.tls, "no trusted TLS connection to \(endpoint)"),
    (.timeout, "\(endpoint) did not answer in time"),
    (.connectionLost, "the connection to \(endpoint) ended before the answer was complete"),
    (.malformed, "\(endpoint) did not answer in HTTP"),
    (.bodyTooLarge, "the answer of \(endpoint) is larger than allowed"),
    (.forbiddenURL, "\(endpoint) is neither https nor http on a loopback address"),
    (.proxyFailed, "the proxy gave no connection to \(endpoint)"),
    (.cancelled, "the request to \(endpoint) was cancelled"),
    (.setup, "the request to \(endpoint) could not be prepared"),
  ])
  func saysWhatHappenedToWhat(code: HTTPError.Code, text: String) {
    #expect(HTTPError(code, requestWasSent: false, endpoint: Self.endpoint).description == text)
    #expect(
      HTTPError(code, requestWasSent: false, endpoint: Self.endpoint, reason: "why").description
        == text + ": why")
  }

  @Test func ht09NoErrorShowsQueryBodyOrField() async throws {
    let answers: [RawServer.Answer] = [
      .reset, .bytes(""), .bytes("sentinel\r\n"), .bytes("HTTP/9.9 sentinel\r\n\r\n"),
      .bytes("HTTP/1.1 200 OK\r\nContent-Length: sentinel\r\n\r\n"),
      .bytes("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nsentinel"),
      .silence("HTTP/1.1 200 OK\r\nX: sentinel\r\nContent-Length: 3\r\n\r\n"),
      .endless("HTTP/1.1 200 OK\r\n\r\n"),
    ]
    let server = try RawServer { answers[($0 - 1) % answers.count] }
    defer { server.stop() }
    var urls = answers.indices.map { _ in server.url("/token?code=sentinel#sentinel") }
    urls += [
      "https://nowhere.invalid/token?code=sentinel", "http://id.example/token?code=sentinel",
      "https://sentinel:sentinel@id.example/", "sentinel", "ftp://127.0.0.1/?sentinel",
      "https://id.example/ sentinel",
    ]
    for url in urls {
      do throws(HTTPError) {
        _ = try await HTTPClient().send(
          HTTPRequest(
            method: .post, url: url, headers: [("Authorization", "Bearer sentinel")],
            body: Array("refresh_token=sentinel".utf8), timeout: .milliseconds(200)))
        Issue.record("\(url) was answered")
      } catch {
        #expect(!"\(error)".contains("sentinel"))
        #expect(!String(reflecting: error).contains("sentinel"))
      }
    }
  }
}
