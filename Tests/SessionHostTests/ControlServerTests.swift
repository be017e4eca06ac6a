import FileSupport
import Glibc
import HostControl
import SessionHost
import SessionModel
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ControlServerTests {
  private static let status = "{\"verb\":\"status\"}\n"
  private static let done = "{\"event\":\"done\"}\n"

  @Test func cs02TheSocketIsTheUsersAloneAndAStaleOneIsReplaced() async throws {
    let fixture = try ControlFixture { _, send in send(.done) }
    let path = fixture.directory.file("host.sock")
    #expect(try TestFile.mode(of: path) == 0o600)
    #expect(try TestFile.mode(of: fixture.directory.path) == 0o700)
    await fixture.server.stop()
    #expect(TestFile.exists(path), "a killed host leaves its socket behind")
    let second = try ControlFixture(in: fixture.directory) { _, send in send(.done) }
    #expect(try await fixture.exchange(Self.status) == Self.done)
    await second.server.stop()
  }

  @Test func cs03ARequestMayComeInPieces() async throws {
    let fixture = try ControlFixture { _, send in send(.done) }
    let answer = try await TestThread.run {
      let caller = try fixture.connect()
      for byte in Self.status.utf8 { try caller.send([byte]) }
      return try caller.readToEnd()
    }
    #expect(answer == Self.done)
    await fixture.server.stop()
  }

  @Test func cs03AConnectionHasOneRequest() async throws {
    let requests = EventRecorder<ControlRequest>()
    let fixture = try ControlFixture { request, send in
      requests.record(request)
      send(.done)
    }
    #expect(try await fixture.exchange(Self.status + Self.status + "{") == Self.done)
    #expect(requests.events == [.status(nil)])
    await fixture.server.stop()
  }

  @Test(arguments: [
    "\n", "{\n", "[]\n", "{\"verb\":\"token\"}\n", "{\"verb\":\"status\",\"more\":1}\n",
    "{\"verb\":\"status\",\"namespace\":\"../x\"}\n", "\u{0}\n", "\u{FFFD}\n", "GET / HTTP/1.1\r\n",
  ])
  func cs03WhatIsNoRequestIsRefusedAtOnce(text: String) async throws {
    let fixture = try ControlFixture { _, send in send(.done) }
    let answer = try await fixture.exchange(text)
    #expect(answer.hasPrefix("{\"event\":\"failed\",\"reason\":\"bad-request\",\"message\":\""))
    #expect(answer.hasSuffix("\"}\n"))
    await fixture.server.stop()
  }

  @Test func cs03AFrameThatIsTooLongOrNoTextIsRefused() async throws {
    let fixture = try ControlFixture { _, send in send(.done) }
    let long = [UInt8](repeating: 0x20, count: FrameBuffer.limit + 1)
    #expect(
      try await fixture.exchange(long)
        == "{\"event\":\"failed\",\"reason\":\"bad-request\","
        + "\"message\":\"a frame is longer than 65536 bytes\"}\n")
    #expect(try await fixture.exchange([0xC3, 0x28, 0x0A]).contains("bad-request"))
    #expect(try await fixture.exchange([0xFF, 0xFE, 0x0A]).contains("bad-request"))
    await fixture.server.stop()
  }

  @Test func cs03RandomFramesDoTheServerNoHarm() async throws {
    let fixture = try ControlFixture { _, send in send(.done) }
    let received = try await TestThread.run {
      var generator = SeededGenerator(seed: 3)
      return try (0..<500).count { _ in
        let caller = try fixture.connect()
        let count = Int.random(in: 1...200, using: &generator)
        try caller.send((0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) })
        try caller.send([0x0A])
        return try caller.readToEnd().contains("bad-request")
      }
    }
    #expect(received == 500)
    #expect(try await fixture.exchange(Self.status) == Self.done)
    await fixture.server.stop()
  }

  @Test func aCallerWhoHangsUpCancelsItsRequest() async throws {
    let began = Gate()
    let cancelled = EventRecorder<Bool>()
    let fixture = try ControlFixture { _, _ in
      began.open()
      let gate = Gate()
      do { try await gate.wait() } catch { cancelled.record(Task.isCancelled) }
    }
    var caller: RawCaller? = try fixture.connect()
    try caller?.send(Array(Self.status.utf8))
    try await began.wait()
    caller = nil
    #expect(try await cancelled.wait(count: 1) == [true])
    await fixture.server.stop()
  }

  /// The first waits for its deadline of 5 s, which is time enough to see a thread that spins.
  @Test func aSlowRequestIsEndedAndACallerWhoIsGoneCostsNothing() async throws {
    let gate = Gate()
    let began = EventRecorder<Void>()
    let fixture = try ControlFixture { _, send in
      began.record(())
      await gate.waitUncancelled()
      send(.done)
    }
    try await TestThread.run {
      let caller = try fixture.connect()
      try caller.send(Array(Self.status.utf8))
    }
    _ = try await began.wait(count: 1)
    let before = ProcessTable.ticks(ofThreads: "control")
    let answer = try await TestThread.run {
      let caller = try fixture.connect()
      try caller.send(Array("{\"verb\":".utf8))
      return try caller.readToEnd()
    }
    #expect(
      answer
        == "{\"event\":\"failed\",\"reason\":\"bad-request\","
        + "\"message\":\"no request came within 5s\"}\n"
    )
    // A hundredth of a second each: a thread that spins takes about 500.
    #expect(ProcessTable.ticks(ofThreads: "control") - before < 100)
    gate.open()
    await fixture.server.stop()
  }

  @Test func aCallerWhoDoesNotReadHoldsUpNobodyAndIsGivenUp() async throws {
    let ended = EventRecorder<Int>()
    let text = String(repeating: "x", count: 1000)
    let fixture = try ControlFixture { request, send in
      guard case .status(nil) = request else {
        send(.done)
        return
      }
      // More than a socket holds, and than is kept for a caller.
      for _ in 0..<2000 { send(.authorize(url: text)) }
      ended.record(Task.isCancelled ? 1 : 0)
    }
    let caller = try await TestThread.run {
      let caller = try fixture.connect()
      try caller.send(Array(Self.status.utf8))
      return caller
    }
    #expect(try await ended.wait(count: 1) == [1])
    #expect(
      try await fixture.exchange("{\"verb\":\"status\",\"namespace\":\"primary\"}\n") == Self.done)
    withExtendedLifetime(caller) {}
    await fixture.server.stop()
  }

  @Test func aCallerWhoReadsSlowlyGetsEverything() async throws {
    let text = String(repeating: "x", count: 1000)
    let fixture = try ControlFixture { _, send in
      for _ in 0..<900 { send(.authorize(url: text)) }
      send(.done)
    }
    let answer = try await TestThread.run {
      let caller = try fixture.connect()
      try caller.send(Array(Self.status.utf8))
      return try caller.readToEnd()
    }
    #expect(answer.split(separator: "\n").count == 901)
    #expect(answer.hasSuffix(Self.done))
    await fixture.server.stop()
  }

  @Test func callersWhoHungUpKeepNobodyOut() async throws {
    let gate = Gate()
    let began = EventRecorder<Void>()
    let fixture = try ControlFixture { request, send in
      if case .status(nil) = request {
        began.record(())
        await gate.waitUncancelled()
      }
      send(.done)
    }
    try await TestThread.run {
      for _ in 0..<ControlServer.connectionLimit {
        try fixture.connect().send(Array(Self.status.utf8))
      }
    }
    _ = try await began.wait(count: ControlServer.connectionLimit)
    // None of the requests has ended.
    #expect(
      try await fixture.exchange("{\"verb\":\"status\",\"namespace\":\"primary\"}\n") == Self.done)
    gate.open()
    await fixture.server.stop()
  }

  @Test func noConnectionLeavesADescriptorBehind() async throws {
    let fixture = try ControlFixture { _, send in send(.done) }
    let before = LowestDescriptor.free
    let answers = try await TestThread.run {
      try (0..<300).count { _ in
        let caller = try fixture.connect()
        try caller.send(Array(Self.status.utf8))
        return try caller.readToEnd() == Self.done
      }
    }
    #expect(answers == 300)
    await fixture.server.stop()
    // Tests beside this one open some, but not as many as there were connections.
    #expect(LowestDescriptor.free < before + 200)
  }

  @Test func theEndIsToldToWhoeverWaitsAndHangsUpOnEverybody() async throws {
    let began = EventRecorder<Void>()
    let cancelled = EventRecorder<Void>()
    let fixture = try ControlFixture { _, _ in
      began.record(())
      let gate = Gate()
      do { try await gate.wait() } catch { cancelled.record(()) }
    }
    let callers = try await TestThread.run {
      let (busy, idle) = (try fixture.connect(), try fixture.connect())
      try busy.send(Array(Self.status.utf8))
      return [busy, idle]
    }
    _ = try await began.wait(count: 1)
    await fixture.server.stop()
    let rest = try await TestThread.run { try callers.map { try $0.readToEnd() } }
    let stopping = #"{"event":"failed","reason":"stopping","message":"the host is stopping"}"#
    #expect(rest[0] == stopping + "\n")
    // On a busy machine the idle one may have been told that it took too long.
    #expect(rest[1] == "" || rest[1].contains("no request came"))
    _ = try await cancelled.wait(count: 1)
  }
}
