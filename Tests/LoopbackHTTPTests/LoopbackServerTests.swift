import Glibc
import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct LoopbackServerTests {
  static let echo: LoopbackServer.Handler = { request in
    let query = request.query.map { "\($0.name)=\($0.value)" }.joined(separator: ",")
    return .text(200, "\(request.method) \(request.path) \(query) \(request.body.count)")
  }

  @Test func na01TheDefaultIsAFreePortOnTheLiteral() throws {
    let server = try LoopbackServer(handler: Self.echo)
    defer { server.stop() }
    #expect(server.port != 0)
    #expect(server.origin == "http://127.0.0.1:\(server.port)")
    let answer = RawConnection.exchange("GET /a?b=1&b=%20x+y", port: server.port)
    #expect(answer?.hasPrefix("HTTP/1.1 200 OK\r\n") == true)
    #expect(answer?.hasSuffix("GET /a b=1,b= x y 0\n") == true)
  }

  @Test func na02TheSixthVersionIsServedToo() throws {
    var options = LoopbackServer.Options()
    options.addresses = [.ipv6]
    let server = try LoopbackServer(options: options, handler: Self.echo)
    defer { server.stop() }
    #expect(server.origin == "http://[::1]:\(server.port)")
    let connection = try #require(RawConnection(port: server.port, ipv6: true))
    connection.send("GET / HTTP/1.1\r\nHost: [::1]:\(server.port)\r\nConnection: close\r\n\r\n")
    #expect(connection.readToEnd().hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  @Test func aServerThatLacksDescriptorsLeavesNoneBehind() async {
    await #expect(processExitsWith: .success) {
      let free = dup(0)
      close(free)
      var former = rlimit()
      let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
      #expect(unsafe getrlimit(kind, &former) == 0)
      // Each of the descriptors that a server needs is the first one that is missing.
      for more in 1...8 {
        var limit = rlimit(rlim_cur: rlim_t(free) + rlim_t(more), rlim_max: former.rlim_max)
        #expect(unsafe setrlimit(kind, &limit) == 0)
        _ = try? LoopbackServer { _ in .text(200, "") }.stop()
        #expect(unsafe setrlimit(kind, &former) == 0)
        let next = dup(0)
        close(next)
        #expect(next == free, "with \(more) descriptors")
      }
    }
  }

  /// A broken cookie and no `Host` are two reasons to refuse, and libmicrohttpd does so twice.
  @Test func fz01WhatIsRefusedTwiceLeavesNothingBehind() async {
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer(handler: Self.echo)
      defer { server.stop() }
      let request = "GET /\(String(repeating: "x", count: 20_000)) HTTP/1.1\r\nCookie: a=\"\r\n\r\n"
      func refuse(_ count: Int) throws -> Int {
        for _ in 0..<count {
          let connection = try #require(RawConnection(port: server.port))
          connection.send(request)
          _ = connection.readToEnd()
        }
        // The second number is how many pages are resident.
        let pages = try TestFile.text("/proc/self/statm").split(separator: " ")[1]
        return (try #require(Int(pages))) * 4096
      }
      let before = try refuse(50)
      let growth = try refuse(500) - before
      if Sanitizer.permits("the memory of refused requests") { #expect(growth < 3_000_000) }
    }
  }

  @Test func anExactPortInUseSaysSo() throws {
    let server = try LoopbackServer(handler: Self.echo)
    defer { server.stop() }
    let error = #expect(throws: LoopbackServerError.self) {
      _ = try LoopbackServer(port: server.port, handler: Self.echo)
    }
    #expect(error == .portInUse(origin: server.origin))
    #expect(
      error?.description
        == "\(server.origin) is in use by another program: end that program, or use another port")
  }

  @Test func na04StoppingClosesThePortAtOnceAndItCanBeBoundAgain() throws {
    let server = try LoopbackServer(handler: Self.echo)
    #expect(RawConnection.exchange("GET /", port: server.port) != nil)
    server.stop()
    #expect(RawConnection(port: server.port) == nil)
    server.stop()
    let next = try LoopbackServer(port: server.port, handler: Self.echo)
    #expect(RawConnection.exchange("GET /", port: next.port) != nil)
    next.stop()
  }

  @Test func na04AServerThatIsLetGoClosesItsPort() throws {
    var server: LoopbackServer? = try LoopbackServer(handler: Self.echo)
    let port = try #require(server?.port)
    server = nil
    #expect(RawConnection(port: port) == nil)
  }

  @Test(arguments: ["evil.example", "localhost:80", "127.0.0.1", "127.0.0.1:1"])
  func na05AnotherHostIsRefused(host: String) throws {
    let server = try LoopbackServer(handler: Self.echo)
    defer { server.stop() }
    let answer = RawConnection.exchange("GET /", port: server.port, host: host)
    #expect(answer?.hasPrefix("HTTP/1.1 400 ") == true)
  }

  @Test func localhostIsServedWhereAskedFor() throws {
    var options = LoopbackServer.Options()
    options.hosts = .boundAddressOrLocalhost
    let server = try LoopbackServer(options: options, handler: Self.echo)
    defer { server.stop() }
    let host = "localhost:\(server.port)"
    let answer = RawConnection.exchange("GET /", port: server.port, host: host)
    #expect(answer?.hasPrefix("HTTP/1.1 200 ") == true)
  }

  @Test(arguments: ["GET /?a=%00", "GET /?a=%FF", "GET /?%4"])
  func na08AMalformedQueryIsRefused(requestLine: String) throws {
    let server = try LoopbackServer(handler: Self.echo)
    defer { server.stop() }
    let answer = RawConnection.exchange(requestLine, port: server.port)
    #expect(answer?.hasPrefix("HTTP/1.1 400 ") == true)
  }

  @Test func bodiesAreReadUpToTheLimit() throws {
    let server = try LoopbackServer(handler: Self.echo)
    defer { server.stop() }
    let whole = String(repeating: "x", count: LoopbackServer.bodyLimit)
    let fits = RawConnection.exchange("POST /", port: server.port, body: whole)
    #expect(fits?.hasSuffix("POST /  65536\n") == true)
    let tooLong = RawConnection.exchange("POST /", port: server.port, body: whole + "x")
    #expect(tooLong?.hasPrefix("HTTP/1.1 413 ") == true)
  }

  @Test func na05AMegabyteOfHeadersIsRefused() throws {
    let server = try LoopbackServer(handler: Self.echo)
    defer { server.stop() }
    let field = "X-Long: " + String(repeating: "x", count: 1_000_000)
    let answer = RawConnection.exchange("GET /", port: server.port, headers: [field])
    #expect(answer?.hasPrefix("HTTP/1.1 431 ") == true)
    let next = RawConnection.exchange("GET /", port: server.port)
    #expect(next?.hasPrefix("HTTP/1.1 200 ") == true)
  }

  @Test func na05ARequestThatDripsIsCutOffAtTheDeadline() throws {
    var options = LoopbackServer.Options()
    options.requestDeadline = .seconds(2)
    let server = try LoopbackServer(options: options, handler: Self.echo)
    defer { server.stop() }
    let slow = try #require(RawConnection(port: server.port))
    slow.send("GET /")
    let start = ContinuousClock.now
    var drops = 0
    // Each byte restarts libmicrohttpd's own limit: only an absolute deadline ends this.
    while !slow.isReadable(within: 100), slow.send("x"), drops < 300 { drops += 1 }
    let waited = ContinuousClock.now - start
    #expect(drops >= 5)
    #expect(waited > .milliseconds(1900) && waited < .seconds(10))
    let next = RawConnection.exchange("GET /right", port: server.port)
    #expect(next?.hasPrefix("HTTP/1.1 200 ") == true)
  }

  @Test func na05AThousandSilentConnectionsDoNotKeepTheRightOneOut() async throws {
    // In a process of its own: two thousand descriptors are more than others' tests can bear.
    await #expect(processExitsWith: .success) {
      let server = try LoopbackServer(handler: LoopbackServerTests.echo)
      defer { server.stop() }
      let silent = (0..<1000).compactMap { _ in RawConnection(port: server.port) }
      #expect(silent.count == 1000)
      let start = ContinuousClock.now
      let answer = RawConnection.exchange("GET /right", port: server.port)
      #expect(answer?.hasSuffix("GET /right  0\n") == true)
      #expect(ContinuousClock.now - start < .seconds(5))
    }
  }

  @Test func aDroppedConnectionHasNoAnswer() throws {
    let server = try LoopbackServer { _ in LoopbackResponse(status: 200, dropConnection: true) }
    defer { server.stop() }
    #expect(RawConnection.exchange("GET /", port: server.port)?.isEmpty == true)
  }

  @Test func aDelayedAnswerHoldsUpNoOther() throws {
    var options = LoopbackServer.Options()
    options.threadPerConnection = true
    options.requestDeadline = .seconds(1)
    let server = try LoopbackServer(options: options) { request in
      var response = LoopbackResponse.text(200, "answer")
      if request.path == "/slow" { response.delay = .milliseconds(2500) }
      return response
    }
    defer { server.stop() }
    let slow = try #require(RawConnection(port: server.port))
    slow.send("GET /slow HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n")
    let start = ContinuousClock.now
    #expect(RawConnection.exchange("GET /", port: server.port)?.hasSuffix("answer\n") == true)
    #expect(ContinuousClock.now - start < .seconds(2))
    // Longer than the inactivity limit: the answer still arrives.
    #expect(slow.readToEnd().hasSuffix("answer\n"))
    #expect(ContinuousClock.now - start > .milliseconds(2000))
  }

  @Test func stoppingCutsADelayShort() async throws {
    let (started, whenStarted) = AsyncStream<Void>.makeStream()
    let server = try LoopbackServer { _ in
      whenStarted.yield()
      return LoopbackResponse(status: 200, delay: .seconds(3600))
    }
    let connection = try #require(RawConnection(port: server.port))
    connection.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
    var starts = started.makeAsyncIterator()
    await starts.next()
    server.stop()
    #expect(RawConnection(port: server.port) == nil)
  }

  @Test func sendingIsReportedAfterTheAnswer() async throws {
    let (sent, whenSent) = AsyncStream<String>.makeStream()
    let server = try LoopbackServer { request in
      var response = LoopbackResponse.text(200, "bye")
      response.whenSent = { whenSent.yield(request.path) }
      return response
    }
    defer { server.stop() }
    #expect(RawConnection.exchange("GET /sent", port: server.port)?.hasSuffix("bye\n") == true)
    var paths = sent.makeAsyncIterator()
    #expect(await paths.next() == "/sent")
  }
}
