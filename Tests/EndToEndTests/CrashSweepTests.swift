import DevelopmentProvider
import Glibc
import TestSupport
import Testing

/// A sample of the crash sweep: the built host is killed at its system calls, and they fail.
///
/// `make crash-sweep` takes every call. `$CRASH_SWEEP_SAMPLE` is the number of points of each
/// operation and fault.
@Suite(
  .serialized, .timeLimit(.minutes(10)),
  .enabled(if: geteuid() == 0, "only root can trace a host that is not to be looked into"))
struct CrashSweepTests {
  @Test func rf14AndSt01AndSt02AndSt04AHostIsKilledAtAnyCallAndGoesOn() async throws {
    let sweep = try await Self.sweep(["--faults", "KILL"])
    // Renewal, sign-in, publish, sign-out, key change.
    #expect(sweep.points >= 5)
    #expect(sweep.hits * 2 > sweep.points)
  }

  @Test func rf15AndSt01AndSt02AnyCallFailsOnceAndTheSessionIsKept() async throws {
    let sweep = try await Self.sweep(["--faults", "EIO,ENOSPC"])
    #expect(sweep.points >= 10)
    #expect(sweep.hits * 2 > sweep.points)
  }

  @Test func st06AndSt07AFailedCloseOrFsyncLeavesNothingAndIsNotRepeated() async throws {
    let sweep = try await Self.sweep([
      "--operations", "renewal", "--faults", "EIO", "--calls", "close,fsync", "--sample", "8",
    ])
    #expect(sweep.points == 8)
    #expect(sweep.hits >= 6)
  }

  @Test func st03ADiskThatStaysBrokenIsWaitedForWithoutHaste() async throws {
    let sweep = try await Self.sweep([
      "--operations", "renewal,key-change", "--faults", "EIO+,ENOSPC+",
    ])
    #expect(sweep.points == 12)
    #expect(sweep.hits == 12)
  }

  @Test func st05FilesAreCompleteWhereEachWriteTakesOneByteAndEverySecondIsInterrupted()
    async throws
  {
    let machine = try HostMachine()
    let library = machine.root.file("short-writes.so")
    try await ToolRunner.runSuccessfully(
      ToolRequest(
        "clang", ["-shared", "-fPIC", "-O1", "-o", library, Self.directory + "short-writes.c"]))
    let provider = try LoopbackProvider.approving()
    try machine.configure(issuer: provider.issuer)
    let first = try await machine.startHost(environment: ["LD_PRELOAD": library])
    #expect(try await machine.signIn().status == 0)
    let token = try await machine.vault("token")
    #expect(token.status == 0)
    // Otherwise the library would not have been asked at all.
    let writes = try Self.writes(of: first)
    let snapshot = try TestFile.read(machine.root.file("run/groups/default/ns/primary/session"))
    #expect(writes > snapshot.count)
    first.kill()
    _ = await first.result()
    let second = try await machine.startHost()
    #expect(try await machine.vault("token").output == token.output)
    #expect(try await machine.vault("renew", "primary").status == 0)
    #expect(provider.counts.reuses == 0)
    #expect(await machine.end(second).status == 0)
  }

  private static let directory = "\(PackageLayout.root)/Tests/CrashSweep/"

  /// What a sweep counted, after nothing failed in it.
  private static func sweep(_ arguments: [String]) async throws -> (points: Int, hits: Int) {
    let size = Environment.value("CRASH_SWEEP_SAMPLE") ?? "3"
    let result = try await ToolRunner.run(
      ToolRequest(
        directory + "crash-sweep",
        ["--products", PackageLayout.products, "--sample", size] + arguments,
        limit: .seconds(500)))
    #expect(result.exit == .status(0), "\(result.output)\(result.error)")
    let totals = result.output.split(separator: "\n").last { $0.hasPrefix("all ") }
    let numbers = try #require(totals).split(separator: " ").compactMap { Int($0) }
    try #require(numbers.count == 9)
    return (numbers[0], numbers[1])
  }

  /// How many calls a program has made to write something, by `/proc/PID/io`.
  private static func writes(of tool: RunningTool) throws -> Int {
    let lines = try TestFile.text("/proc/\(tool.identifier)/io").split(separator: "\n")
    let line = try #require(lines.first { $0.hasPrefix("syscw: ") })
    return try #require(Int(line.dropFirst("syscw: ".count)))
  }
}
