import DevelopmentProvider
import Glibc
import TestSupport
import Testing

/// What a power loss at any moment leaves of the host's state, by a model of the file system.
@Suite(.timeLimit(.minutes(Effort.count(2, whole: 30))))
struct CrashStateTests {
  private typealias Operation = CrashModel.Operation

  /// A directory that is made, and two values that are written one after the other.
  private static let whole: [Operation] = [
    .makeDirectory("/h/d"), .synchronize("/h"), .create("/h/d/.1"), .write("/h/d/.1"),
    .synchronize("/h/d/.1"), .rename("/h/d/.1", to: "/h/d/f"), .synchronize("/h/d"),
    .disclose("request"), .create("/h/d/.2"), .write("/h/d/.2"), .synchronize("/h/d/.2"),
    .rename("/h/d/.2", to: "/h/d/f"), .synchronize("/h/d"), .disclose("snapshot"),
  ]

  @Test func st08TheModelFindsEachStepThatIsLeftOut() {
    let model = CrashModel.run(Self.whole)
    #expect(model.faults == [])
    #expect(model.states > Self.whole.count)
    for (index, operation) in Self.whole.enumerated() where operation.synchronized != nil {
      var mutant = Self.whole
      mutant.remove(at: index)
      #expect(CrashModel.run(mutant).faults != [], "without \(index): \(operation)")
    }
    var early = Self.whole
    early.swapAt(12, 13)
    #expect(CrashModel.run(early).faults != [], "disclosed before it is durable")
    let removed = Self.whole + [.remove("/h/d/f"), .disclose("request")]
    #expect(CrashModel.run(removed).faults == [], "a removal that is lost is no torn file")
    let inPlace = Self.whole + [.write("/h/d/f"), .synchronize("/h/d/f")]
    #expect(CrashModel.run(inPlace).faults != [], "written in its place")
  }

  @Test func st08AndSt14WhatTheHostDoesLosesNothingAndIsDurableBeforeItIsSeen() async throws {
    let count = Effort.count(5, whole: 1_000)
    let provider = try LoopbackProvider.approving(lifetime: .seconds(1))
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let log = machine.root.file("trace")
    // As a grandchild strace(1) leaves the host the process that the test has started.
    let host = try RunningTool(
      ToolRequest(
        "strace",
        [
          "-D", "-f", "-yy", "-s", "0", "-o", log, "-e", "trace=" + FileTrace.calls,
          machine.request("tokenvault-host", []).program,
        ], environment: machine.environment, limit: .seconds(1700)))
    try await host.error.next { $0 == "tokenvault-host: ready" }
    #expect(try await machine.signIn().status == 0)
    try await provider.waitForRequests(count + 1, at: .token)
    #expect(await machine.end(host).status == 0)

    let operations = try FileTrace.operations(
      in: TestFile.text(log), home: machine.root.path, runtime: machine.root.file("run")
    ).filter { operation in
      // Advice for backup tools, which may be lost.
      if case .rename(_, let path) = operation { return !path.hasSuffix("CACHEDIR.TAG") }
      return true
    }
    let model = CrashModel.run(operations)
    #expect(model.faults == [])
    #expect(
      Set(model.targets.keys)
        .isSuperset(of: ["keys/master.key", "state/store/session/primary"].map(machine.root.file)))
    // Each renewal stores its intent before the request and its token before the snapshot.
    let record = machine.root.file("state/store/session/primary")
    let stored = operations.count {
      if case .rename(_, record) = $0 { true } else { false }
    }
    #expect(stored >= 2 * count)
    #expect(operations.count { $0 == .disclose("snapshot") } >= count)
    #expect(operations.count { $0 == .disclose("request") } >= count)
    // The trace holds what the model needs: without either kind of fsync its begin fails already.
    // More of it would only take longer: what is never durable is looked at in every combination.
    let begin = operations.prefix(100)
    let directories = Set(
      begin.compactMap { operation -> Substring? in
        if case .rename(_, let path) = operation {
          path.dropLast(while: { $0 != "/" })
        } else {
          nil
        }
      })
    let withoutDirectories = begin.filter {
      $0.synchronized.map { !directories.contains($0 + "/") } ?? true
    }
    #expect(withoutDirectories.count < begin.count)
    #expect(CrashModel.run(withoutDirectories).faults != [])
    let withoutFiles = begin.filter {
      $0.synchronized.map { directories.contains($0 + "/") } ?? true
    }
    #expect(withoutFiles.count < begin.count)
    #expect(CrashModel.run(withoutFiles).faults != [])
  }
}

extension String {
  /// The text without its end, as far as that is of some characters.
  fileprivate func dropLast(while isDropped: (Character) -> Bool) -> Substring {
    guard let last = lastIndex(where: { !isDropped($0) }) else { return "" }
    return self[...last]
  }
}
