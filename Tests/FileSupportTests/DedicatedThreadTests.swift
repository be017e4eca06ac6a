import FileSupport
import Glibc
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct DedicatedThreadTests {
  @Test func itHasItsNameAndTakesNoSignal() async throws {
    let statuses = EventRecorder<String>()
    try DedicatedThread.start("one-of-its-own-kind") {
      statuses.record((try? TestFile.text("/proc/thread-self/status")) ?? "")
    }
    let lines = try await statuses.next().split(separator: "\n")
    #expect(lines.contains("Name:\tone-of-its-own-"))
    // All but SIGKILL and SIGSTOP, and the two that the C library keeps for itself.
    #expect(lines.contains("SigBlk:\tfffffffe7ffbfeff"), "\(lines)")
  }

  @Test func theMaskOfWhoStartsItStaysAsItWas() throws {
    let before = try TestFile.text("/proc/thread-self/status").split(separator: "\n")
    try DedicatedThread.start("short") {}
    let after = try TestFile.text("/proc/thread-self/status").split(separator: "\n")
    let mask = before.first { $0.hasPrefix("SigBlk:") }
    #expect(mask != nil && after.first { $0.hasPrefix("SigBlk:") } == mask)
  }
}
