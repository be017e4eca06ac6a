import Glibc
import HTTPExchange
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HTTPClientTests {
  private let client = HTTPClient()

  private func failure(_ request: HTTPRequest) async -> HTTPError? {
    do throws(HTTPError) {
      _ = try await client.send(request)
      return nil
    } catch {
      return error
    }
  }

  @Test func answersComeWithStatusFieldsAndBody() async throws {
    let server = try RawServer { _ in
      .bytes(
        "HTTP/1.1 100 Continue\r\nX-Interim: 1\r\n\r\n"
          + "HTTP/1.1 200 OK\r\nContent-Type: Application/JSON; charset=utf-8\r\n"
          + "X-Two: a\r\nx-two:  b \r\nContent-Length: 2\r\n\r\n{}")
    }
    defer { server.stop() }
    let answer = try await client.send(
      HTTPRequest(
        method: .post, url: server.url("/token"), headers: [("X-A", "1"), ("X-Empty", "")],
        body: Array("grant_type=x".utf8)))
    #expect(answer.status == 200)
    #expect(answer.body == Array("{}".utf8))
    #expect(answer.contentType == "application/json")
    #expect(answer.headers.values("X-TWO") == ["a", "b"])
    #expect(answer.headers["X-Interim"] == nil)
    #expect(answer.duration > .zero)
    let request = try #require(server.requests.first)
    #expect(request.hasPrefix("POST /token HTTP/1.1\r\n"))
    #expect(request.contains("\r\nX-A: 1\r\n"))
    #expect(request.contains("\r\nX-Empty:\r\n"))
    #expect(request.contains("\r\nUser-Agent: TokenVault\r\n"))
    #expect(request.hasSuffix("\r\n\r\ngrant_type=x"))
    #expect(!request.lowercased().contains("accept-encoding"))
    #expect(!request.lowercased().contains("expect:"))
  }

  @Test func anEmptyPostHasAnEmptyBody() async throws {
    let server = try RawServer { _ in .bytes("HTTP/1.1 204 No Content\r\n\r\n") }
    defer { server.stop() }
    let answer = try await client.send(HTTPRequest(method: .post, url: server.url("/")))
    #expect(answer.status == 204)
    #expect(server.requests.first?.contains("Content-Length: 0\r\n") == true)
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func ht01RedirectsAreReturnedNotFollowed(status: Int) async throws {
    let other = try RawServer { _ in .bytes("HTTP/1.1 200 OK\r\n\r\n") }
    defer { other.stop() }
    let target = other.url("/stolen")
    let server = try RawServer { _ in
      .bytes("HTTP/1.1 \(status) Moved\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
    }
    defer { server.stop() }
    let answer = try await client.send(
      HTTPRequest(method: .post, url: server.url("/token"), body: Array("refresh_token=r".utf8)))
    #expect(answer.status == status)
    #expect(other.connections == 0)
    #expect(server.connections == 1)
  }

  @Test func ht02AuthorizationNeverLeavesTheOrigin() async throws {
    let other = try RawServer { _ in .bytes("HTTP/1.1 200 OK\r\n\r\n") }
    defer { other.stop() }
    let target = other.url("/userinfo")
    let server = try RawServer { _ in
      .bytes("HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n")
    }
    defer { server.stop() }
    let answer = try await client.send(
      HTTPRequest(url: server.url("/userinfo"), headers: [("Authorization", "Bearer sentinel")]))
    #expect(answer.status == 302)
    #expect(other.connections == 0)
  }

  @Test func ht03AndHt04NothingIsRememberedBetweenRequests() async throws {
    let server = try RawServer { _ in
      .bytes(
        "HTTP/1.1 200 OK\r\nSet-Cookie: a=sentinel; Path=/; Max-Age=9999\r\n"
          + "Cache-Control: public, max-age=9999\r\nETag: \"x\"\r\n"
          + "Strict-Transport-Security: max-age=9999\r\nAlt-Svc: h2=\":1\"\r\n"
          + "Content-Length: 2\r\n\r\n{}")
    }
    defer { server.stop() }
    for _ in 1...3 { _ = try await client.send(HTTPRequest(url: server.url("/jwks"))) }
    #expect(server.requests.count == 3)
    #expect(server.connections == 3)
    for request in server.requests {
      #expect(!request.lowercased().contains("cookie"))
      #expect(!request.lowercased().contains("if-none-match"))
    }
  }

  @Test(arguments: ["Content-Length: 10737418240\r\n", ""])
  func ht08AnEndlessBodyIsGivenUpAtTheCap(field: String) async throws {
    let server = try RawServer { _ in .endless("HTTP/1.1 200 OK\r\n\(field)\r\n") }
    defer { server.stop() }
    let error = await failure(HTTPRequest(url: server.url("/jwks")))
    #expect(error?.code == .bodyTooLarge)
    #expect(error?.requestWasSent == true)
  }

  @Test func ht08EndlessHeaderFieldsAreGivenUp() async throws {
    let server = try RawServer { _ in
      .bytes("HTTP/1.1 200 OK\r\n" + String(repeating: "X-Y: 1234567890\r\n", count: 8000))
    }
    defer { server.stop() }
    #expect(await failure(HTTPRequest(url: server.url("/")))?.code == .bodyTooLarge)
  }

  @Test func ht08ABodyAtTheCapPassesAndOneMoreByteDoesNot() async throws {
    let server = try RawServer { _ in .bytes("HTTP/1.1 200 OK\r\n\r\n1234567890") }
    defer { server.stop() }
    let request = HTTPRequest(url: server.url("/"), maximumBodyLength: 10)
    #expect(try await client.send(request).body.count == 10)
    var smaller = request
    smaller.maximumBodyLength = 9
    #expect(await failure(smaller)?.code == .bodyTooLarge)
  }

  @Test func ht08ACodedBodyIsNotUnpacked() async throws {
    let server = try RawServer { _ in
      .bytes("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc")
    }
    defer { server.stop() }
    #expect(try await client.send(HTTPRequest(url: server.url("/"))).body == Array("abc".utf8))
  }

  @Test func ht08ASlowBodyEndsWithTheTime() async throws {
    let server = try RawServer { _ in
      .silence("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\na")
    }
    defer { server.stop() }
    let error = await failure(
      HTTPRequest(url: server.url("/token"), timeout: .milliseconds(150)))
    #expect(error?.code == .timeout)
    #expect(error?.requestWasSent == true)
  }

  @Test func aRefusedConnectionSentNothing() async throws {
    let server = try RawServer { _ in .reset }
    let url = server.url("/token?code=sentinel")
    server.stop()
    var error = await failure(HTTPRequest(url: url))
    while error?.code == .connectionLost { error = await failure(HTTPRequest(url: url)) }
    #expect(error?.code == .connect)
    #expect(error?.requestWasSent == false)
  }

  @Test func anUnknownHostSentNothing() async throws {
    let error = await failure(HTTPRequest(url: "https://nowhere.invalid/token"))
    #expect(error?.code == .resolve)
    #expect(error?.requestWasSent == false)
  }

  @Test(arguments: [
    RawServer.Answer.reset, .bytes(""), .bytes("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"),
  ])
  func aDroppedConnectionMayHaveBeenHeard(answer: RawServer.Answer) async throws {
    let server = try RawServer { _ in answer }
    defer { server.stop() }
    let error = await failure(
      HTTPRequest(method: .post, url: server.url("/token"), body: Array("a=b".utf8)))
    #expect(error?.code == .connectionLost)
    #expect(error?.requestWasSent == true)
  }

  @Test func anAnswerThatIsNotHTTPIsMalformed() async throws {
    let server = try RawServer { _ in .bytes("SSH-2.0-OpenSSH_9.2\r\n") }
    defer { server.stop() }
    let error = await failure(HTTPRequest(url: server.url("/")))
    #expect(error?.code == .malformed)
    #expect(error?.requestWasSent == true)
  }

  @Test func cancellationEndsARunningTransferWithin50Milliseconds() async throws {
    let server = try RawServer { _ in .silence("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n") }
    defer { server.stop() }
    let client = client
    let url = server.url("/token")
    let clock = ContinuousClock()
    var times: [Duration] = []
    // The best of a few: a busy machine may hold back any one of them.
    for round in 1...5 {
      let task = Task { () -> HTTPError? in
        do throws(HTTPError) {
          _ = try await client.send(HTTPRequest(url: url))
          return nil
        } catch { return error }
      }
      try await server.waitForRequests(round)
      let start = clock.now
      task.cancel()
      let error = await task.value
      times.append(clock.now - start)
      #expect(error?.code == .cancelled)
      #expect(error?.requestWasSent == true)
    }
    #expect(try #require(times.min()) < .milliseconds(50))
  }

  @Test func aCancelledTaskSendsNothing() async throws {
    let server = try RawServer { _ in .bytes("HTTP/1.1 200 OK\r\n\r\n") }
    defer { server.stop() }
    let client = client
    let url = server.url("/")
    let task = Task { () -> HTTPError? in
      unsafe withUnsafeCurrentTask { task in unsafe task?.cancel() }
      do throws(HTTPError) {
        _ = try await client.send(HTTPRequest(url: url))
        return nil
      } catch { return error }
    }
    #expect(
      await task.value
        == HTTPError(
          .cancelled, requestWasSent: false, endpoint: "http://127.0.0.1:\(server.port)/"))
    #expect(server.connections == 0)
  }

  @Test(arguments: ["X\r\nY: 1", "a\u{0}b", "a\nb"])
  func aHeaderFieldCannotSmuggleAnother(value: String) async throws {
    let error = await failure(
      HTTPRequest(url: "http://127.0.0.1:1/", headers: [("Authorization", value)]))
    #expect(error?.code == .setup)
  }

  @Test func noThreadIsLeft() async throws {
    // In a process of its own, where no other test has transfers.
    await #expect(processExitsWith: .success) {
      let server = try RawServer { _ in .bytes("HTTP/1.1 200 OK\r\n\r\n") }
      var threads = Int.max
      // A thread ends a moment after its answer was handed over, at the latest during the next
      // requests; those that stay only become more.
      for number in 1...1000 where number <= 20 || threads > 1 {
        _ = try await HTTPClient().send(HTTPRequest(url: server.url("/")))
        threads = TransferThreads.count
      }
      try #require(threads <= 1)
    }
  }
}
