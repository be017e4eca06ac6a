import FileSupport
import HostControl
import SessionModel
import TestSupport
import Testing

@Suite struct ControlClientTests {
  private static func withListener(
    answering answer: @escaping @Sendable (borrowing FileDescriptor) -> Void,
    _ body: @escaping @Sendable (Directory) throws -> Void
  ) async throws {
    try await withTemporaryDirectory { temporary in
      let directory = try Directory.open(path: temporary.path, policy: .ownerOnly)
      let listener = try UnixSocket.listen(ControlClient.socketName, in: directory)
      let number = listener.rawValue
      let ended = EventRecorder<Void>()
      try TestThread.start("host") {
        defer { ended.record(()) }
        guard let connection = try? UnixSocket.accept(on: number) else { return }
        answer(connection)
      }
      try await TestThread.run { try body(directory) }
      // A client that left is accepted all the same, so long as there is a socket to do it on.
      _ = try await ended.wait(count: 1)
      _ = listener.rawValue
    }
  }

  private static func answer(
    _ text: String
  ) -> @Sendable (borrowing FileDescriptor) -> Void {
    { connection in
      _ = try? waitForInput([connection.rawValue], timeout: .seconds(20))
      try? connection.writeAll(Array(text.utf8))
      // The end of the client, not of a time, ends the connection.
      _ = try? readToEnd(of: connection.rawValue, limit: 1 << 16, path: "the client")
    }
  }

  private static func failure(
    of client: inout ControlClient, timeout: Duration?, interrupter: Int32 = -1
  ) -> ControlError? {
    do {
      _ = try client.nextEvent(timeout: timeout, interrupter: interrupter)
      return nil
    } catch {
      return error
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func eventsAreReadInOrderFromOneAnswer() async throws {
    try await Self.withListener(
      answering: Self.answer(
        "{\"event\":\"authorize\",\"url\":\"u\"}\n{\"event\":\"signed-in\",\"namespace\":\"primary\"}\n"
      )
    ) { directory in
      var client = try ControlClient(in: directory)
      try client.send(.signIn(SignInRequest(namespace: .primary)))
      #expect(try client.nextEvent(timeout: .seconds(20)) == .authorize(url: "u"))
      #expect(try client.nextEvent(timeout: .seconds(20)) == .signedIn(.primary))
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func anAnswerThatIsNoneIsMalformed() async throws {
    try await Self.withListener(answering: Self.answer("hello\n")) { directory in
      var client = try ControlClient(in: directory)
      try client.send(.status(nil))
      let failure = Self.failure(of: &client, timeout: .seconds(20))
      guard case .malformed = failure else {
        Issue.record("unexpected \(String(describing: failure))")
        return
      }
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func aHostThatClosesEarlyIsReported() async throws {
    try await Self.withListener(answering: { _ in }) { directory in
      var client = try ControlClient(in: directory)
      try client.send(.status(nil))
      #expect(Self.failure(of: &client, timeout: .seconds(20)) == .closed)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func aSilentHostTimesOutAndABellInterrupts() async throws {
    try await Self.withListener(answering: Self.answer("")) { directory in
      var client = try ControlClient(in: directory)
      #expect(
        Self.failure(of: &client, timeout: .milliseconds(5))
          == .timedOut(after: .milliseconds(5)))
      let bell = try Doorbell()
      bell.ring()
      #expect(
        Self.failure(of: &client, timeout: nil, interrupter: bell.rawDescriptor) == .interrupted)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func connectingSendingAndWaitingShareOneLimit() async throws {
    try await Self.withListener(answering: Self.answer("")) { directory in
      // By this clock nearly all of an hour has gone by once the request is out.
      let readings: [Duration] = [
        .zero, .seconds(1500), .seconds(3000), .milliseconds(3_599_950),
      ]
      var number = 0
      #expect(throws: ControlError.timedOut(after: .seconds(3600))) {
        try ControlClient.answer(
          to: .status(nil), in: directory, within: .seconds(3600),
          now: {
            defer { number += 1 }
            return UInt64(readings[number].components.seconds) * 1_000_000_000
              + UInt64(readings[number].components.attoseconds / 1_000_000_000)
          })
      }
      #expect(number == readings.count)
    }
  }

  @Test(.timeLimit(.minutes(1)))
  func aRequestForWhichNoTimeIsLeftIsNotSent() async throws {
    let received = EventRecorder<Int>()
    try await Self.withListener(answering: { connection in
      let bytes = try? readToEnd(of: connection.rawValue, limit: 1 << 16, path: "the client")
      received.record(bytes?.count ?? -1)
    }) { directory in
      let client = try ControlClient(in: directory)
      #expect(throws: ControlError.timedOut(after: .zero)) {
        try client.send(.status(nil), within: .zero)
      }
    }
    #expect(try await received.wait(count: 1) == [0])
  }

  @Test(arguments: [false, true])
  func nobodyListeningIsUnreachable(leavesSocket: Bool) throws {
    let temporary = try TemporaryDirectory()
    let directory = try Directory.open(path: temporary.path, policy: .ownerOnly)
    if leavesSocket { _ = try UnixSocket.listen(ControlClient.socketName, in: directory) }
    do {
      _ = try ControlClient(in: directory)
      Issue.record("connected")
    } catch {
      let path = temporary.file("host.sock")
      #expect(error == .unreachable(path: path))
      #expect(
        error.description == "no host listens at \(path); start it with: tokenvault-host")
    }
  }

  @Test func everyErrorSaysWhatHappenedAndWhatNext() {
    let errors: [ControlError] = [
      .closed, .timedOut(after: .seconds(3)), .malformed("the host's answer is no object"),
      .interrupted, .connection(call: "send", Errno(rawValue: 32)),
    ]
    #expect(
      errors.map(\.description) == [
        "the host closed the connection without a complete answer; its log says why",
        "the host did not answer within 3s; its log may say why",
        "the host's answer is no object; the host may be of another version",
        "the wait for the host was given up",
        "the connection to the host broke: send: Broken pipe (EPIPE)",
      ])
  }
}
