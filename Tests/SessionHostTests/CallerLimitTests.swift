import FileSupport
import Glibc
import GrantModel
import HostControl
import SessionHost
import SessionModel
import TestSupport
import Testing

/// How many callers are served, how often, and whose they are.
@Suite(.timeLimit(.minutes(2)))
struct CallerLimitTests {
  private static let status = "{\"verb\":\"status\"}\n"
  private static let renew = "{\"verb\":\"renew\",\"namespace\":\"primary\"}\n"
  private static let done = "{\"event\":\"done\"}\n"
  private static let limited = "{\"event\":\"failed\",\"reason\":\"rate-limited\",\"message\":\""

  @Test func cs04OfAThousandConnectionsSixteenAreServedAndTheOthersAreToldAtOnce() async throws {
    let gate = Gate()
    let began = EventRecorder<Void>()
    let fixture = try ControlFixture { _, send in
      began.record(())
      await gate.waitUncancelled()
      send(.done)
    }
    let served = try await fixture.callers(ControlServer.connectionLimit, sending: Self.status)
    _ = try await began.wait(count: ControlServer.connectionLimit)
    let refused = try await TestThread.run {
      try (0..<1000 - ControlServer.connectionLimit).map { _ in
        try fixture.connect().readToEnd()
      }
    }
    #expect(ControlServer.connectionLimit == 16)
    #expect(refused.allSatisfy { $0.hasPrefix(Self.limited + "16 callers") })
    #expect(began.events.count == ControlServer.connectionLimit)
    #expect(fixture.log.events == ["warning: more than 16 callers at once: some are turned away"])
    gate.open()
    let answers = try await TestThread.run { try served.map { try $0.readToEnd() } }
    #expect(answers == served.map { _ in Self.done })
    #expect(try await fixture.exchange(Self.status) == Self.done)
    await fixture.server.stop()
  }

  @Test func cs04WidgetsThatWaitForARenewalLeaveRoomForAPerson() async throws {
    let gate = Gate()
    let began = EventRecorder<Void>()
    let fixture = try ControlFixture { request, send in
      guard case .status = request else {
        began.record(())
        await gate.waitUncancelled()
        return send(.renewed(.primary, generation: 2))
      }
      send(.done)
    }
    let waiting = try await fixture.callers(ControlServer.waiterLimit, sending: Self.renew)
    _ = try await began.wait(count: ControlServer.waiterLimit)
    #expect(try await fixture.exchange(Self.renew).hasPrefix(Self.limited + "12 callers wait"))
    #expect(try await fixture.exchange(Self.status) == Self.done)
    gate.open()
    let answers = try await TestThread.run { try waiting.map { try $0.readToEnd() } }
    #expect(answers.allSatisfy { $0.contains("\"renewed\"") })
    #expect(try await fixture.exchange(Self.renew).contains("\"renewed\""))
    await fixture.server.stop()
  }

  @Test func cs04ACallerThatNeedsAValidityAsksAgainUntilThereIsRoom() async throws {
    let gate = Gate()
    let began = EventRecorder<Void>()
    let fixture = try ControlFixture { _, send in
      began.record(())
      await gate.waitUncancelled()
      send(.renewed(.primary, generation: 2))
    }
    let waiting = try await fixture.callers(ControlServer.waiterLimit, sending: Self.renew)
    _ = try await began.wait(count: ControlServer.waiterLimit)
    let directory = try Directory.open(path: fixture.directory.path, policy: .ownerOnly)
    let refusals = EventRecorder<Void>()
    let answer = try await TestThread.run {
      // The clock is looked at several times for each refusal.
      try ControlClient.answer(
        to: .renew(.primary, validFor: .seconds(1)), in: directory, within: .seconds(60),
        now: {
          refusals.record(())
          if refusals.events.count > 12 { gate.open() }
          return bootClockNanoseconds()
        })
    }
    #expect(answer == .renewed(.primary, generation: 2))
    withExtendedLifetime(waiting) {}
    await fixture.server.stop()
  }

  @Test func cs04TenThousandRequestsForARenewalCauseOneInThirtySeconds() async throws {
    let fixture = try SessionFixture(policy: RenewalPolicy(isAutomatic: false))
    await fixture.session.start()
    fixture.source.thenIssue("access-1", rotatingTo: "refresh-1", expiresAt: 1_000_300)
    _ = await fixture.session.signIn(GrantModel.SignInRequest()) { _ in }
    fixture.clock.advance(by: .seconds(2))
    for _ in 0..<3 { fixture.source.thenIssueOnce(lifetime: 300) }
    var limited = 0
    for _ in 0..<10_000 {
      fixture.clock.advance(by: .microseconds(2900))
      let report = await fixture.session.renew(validFor: nil)
      if case .failed(.rateLimited, _) = report { limited += 1 }
    }
    #expect(fixture.source.renewals.events.count == 1, "29 s have passed")
    #expect(limited > 9000)
    fixture.clock.advance(by: .seconds(2))
    guard case .renewed = await fixture.session.renew(validFor: nil) else {
      Issue.record("30 s after the last one")
      return
    }
    #expect(fixture.source.renewals.events.count == 2)
    await fixture.session.stop()
  }

  @Test func cs04SignInsAreCountedForEachNamespaceAndVerb() {
    var allowance = RequestAllowance()
    func take(_ request: ControlRequest, _ now: BootTime) -> Duration? {
      allowance.take(request, now: now)
    }
    let start = BootTime(rawValue: 5_000_000_000)
    let signIn = ControlRequest.signIn(SignInRequest(namespace: .primary))
    for _ in 0..<RequestAllowance.burst { #expect(take(signIn, start) == nil) }
    #expect(take(signIn, start) == RequestAllowance.interval)
    #expect(take(signIn, start) == RequestAllowance.interval, "a refusal costs nothing")
    #expect(take(.introspect(.primary), start) == nil)
    #expect(take(.signOutInBrowser(.primary), start) == nil)
    for _ in 0..<1000 { #expect(take(.status(nil), start) == nil) }
    let later = BootTime(rawValue: 7_000_000_000)
    #expect(take(signIn, later) == nil)
    #expect(take(signIn, later) == RequestAllowance.interval)
    let muchLater = BootTime(rawValue: 500_000_000_000)
    for _ in 0..<RequestAllowance.burst { #expect(take(signIn, muchLater) == nil) }
    #expect(take(signIn, muchLater) == RequestAllowance.interval)
  }

  @Test func cs04SignInsInALoopAreRefusedBeforeTheProviderIsAsked() async throws {
    let fixture = try HostFixture()
    let source = ScriptedSource()
    try await fixture.run([HostFixture.setup(source)]) { _ in
      for _ in 0..<RequestAllowance.burst { try await fixture.signIn(source) }
      let request = ControlRequest.signIn(SignInRequest(namespace: .primary))
      #expect(
        try await fixture.ask(request)
          == .failed(
            .rateLimited, message: "primary: too many requests of this kind; again in 2s"))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs the right to become another user"))
  func cs01AnotherUserIsHungUpOnBeforeAByteIsRead() async throws {
    let requests = EventRecorder<ControlRequest>()
    let fixture = try ControlFixture { request, send in
      requests.record(request)
      send(.done)
    }
    // The modes keep others out already: here they are taken away.
    for parent in [fixture.directory.path] { #expect(unsafe chmod(parent, 0o755) == 0) }
    #expect(unsafe chmod(fixture.directory.file("host.sock"), 0o666) == 0)
    let script = """
      import socket, sys
      for _ in range(3):
          s = socket.socket(socket.AF_UNIX)
          s.connect(sys.argv[1])
          try:
              s.sendall(b'{"verb":"status"}\\n')
          except BrokenPipeError:
              pass
          try:
              print(s.recv(100))
          except ConnectionResetError:
              print(b'')
      """
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest(
        "setpriv",
        [
          "--reuid=65534", "--regid=65534", "--clear-groups", "/usr/bin/python3", "-c", script,
          fixture.directory.file("host.sock"),
        ]))
    #expect(result.output == "b''\nb''\nb''\n")
    #expect(requests.events.isEmpty)
    #expect(fixture.log.events == ["warning: refused connections from user 65534"])
    #expect(unsafe chmod(fixture.directory.path, 0o700) == 0)
    #expect(try await fixture.exchange(Self.status) == Self.done)
    await fixture.server.stop()
  }
}
