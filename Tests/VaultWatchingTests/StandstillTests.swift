import FileSupport
import Glibc
import SnapshotFormat
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(2)))
struct StandstillTests {
  @Test func wt02AStoppedWatcherTellsTheNewestAloneWhenItGoesOn() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish()
    let widget = try RunningTool(
      .product(
        "tokenvault", ["watch", "--format", "json"],
        environment: ["TOKENVAULT_RUNTIME_DIR": published.path, "HOME": published.temporary.path],
        limit: .seconds(110)))
    try await widget.output.next { $0.contains("\"generation\":1,") }
    // Woken once, so that it stands behind its first look.
    try published.publish()
    try await widget.output.next { $0.contains("\"generation\":2,") }
    widget.send(signal: SIGSTOP)
    let directory = try Directory.open(path: published.namespacePath, policy: .ownerOnly)
    let bytes = try #require(try directory.readFile("session", sizeLimit: 1 << 20))
    for _ in 1..<30_000 {
      try directory.replaceFile("session", with: bytes, durability: .volatile)
    }
    let newest = try published.publish()
    widget.send(signal: SIGCONT)
    try await widget.output.next { $0.contains("\"generation\":\(newest),") }
    try published.publish(.signedOut)
    try await widget.output.next { $0.contains("\"generation\":\(newest + 1),") }
    #expect(widget.output.events.count == 4)
    widget.terminate()
    withExtendedLifetime(lock) {}
  }
}
