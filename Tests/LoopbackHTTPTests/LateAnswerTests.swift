import LoopbackHTTP
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct LateAnswerTests {
  /// A server whose answers to `/late` come late.
  private struct Fixture {
    let server: LoopbackServer
    let late: LateAnswer
    let requests = EventRecorder<String>()

    init(limit: Duration = .seconds(60)) throws {
      let late = try #require(LateAnswer())
      let requests = requests
      var options = LoopbackServer.Options()
      options.threadPerConnection = true
      server = try LoopbackServer(options: options) { request in
        requests.record(request.path)
        var response = LoopbackResponse.text(200, "in its place")
        if request.path == "/late" {
          response.delay = limit
          response.late = late
        }
        return response
      }
      self.late = late
    }

    /// Asks on another thread.
    func ask() async throws -> String {
      let port = server.port
      return try await TestThread.run { RawConnection.exchange("GET /late", port: port) } ?? ""
    }
  }

  @Test func itIsSentWhenItIsGivenAndNoneAfterIt() async throws {
    let fixture = try Fixture()
    defer { fixture.server.stop() }
    async let answer = fixture.ask()
    _ = try await fixture.requests.next { $0 == "/late" }
    #expect(
      RawConnection.exchange("GET /other", port: fixture.server.port)?.contains("in its place")
        == true, "others are served meanwhile")
    #expect(fixture.late.give(.text(201, "first")))
    #expect(!fixture.late.give(.text(201, "second")))
    #expect(try await answer.hasPrefix("HTTP/1.1 201 "))
  }

  @Test func aClosedPortStillAnswersWhatHasCome() async throws {
    let fixture = try Fixture()
    defer { fixture.server.stop() }
    async let answer = fixture.ask()
    _ = try await fixture.requests.next { $0 == "/late" }
    fixture.server.closePort()
    #expect(RawConnection(port: fixture.server.port) == nil)
    #expect(fixture.late.give(.text(201, "late")))
    #expect(try await answer.contains("late"))
  }

  @Test func itIsWaitedForUntilItsLimit() async throws {
    let fixture = try Fixture(limit: .milliseconds(1))
    defer { fixture.server.stop() }
    #expect(try await fixture.ask().contains("in its place"))
    #expect(!fixture.late.give(.text(201, "too late")))
  }

  @Test func aServerThatStopsWaitsForNone() async throws {
    let fixture = try Fixture()
    async let answer = fixture.ask()
    _ = try await fixture.requests.next { $0 == "/late" }
    fixture.server.stop()
    _ = try await answer
    #expect(!fixture.late.give(.text(201, "too late")))
  }
}
