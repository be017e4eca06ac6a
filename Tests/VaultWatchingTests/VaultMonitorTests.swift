import FileSupport
import SessionModel
import TestSupport
import Testing
import VaultReader
import VaultWatching

@Suite(.timeLimit(.minutes(1)))
struct VaultMonitorTests {
  @Test func theStateComesAtOnceThenEachChangeThenNothing() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish()
    let monitor = try VaultMonitor(published.vault())
    try await TestThread.run {
      let first = try #require(monitor.next())
      #expect(first.change == .current)
      #expect(monitor.next(timeout: .zero) == nil)
      let generation = try published.publish()
      let second = try #require(monitor.next())
      #expect(second.state.generation == generation)
      #expect(second.change == .snapshot)
      #expect(monitor.next(timeout: .milliseconds(1)) == nil)
    }
    withExtendedLifetime(lock) {}
  }

  @Test func itsDescriptorTellsWhenToAsk() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish(expiresIn: .seconds(2))
    let monitor = try VaultMonitor(published.vault())
    try await TestThread.run {
      _ = monitor.next()
      while let update = monitor.next(timeout: .zero) ?? waited(monitor) {
        if update.state.session == .expired { return }
      }
    }
    withExtendedLifetime(lock) {}
  }

  @Test func twoMonitorsDoNotDisturbEachOther() async throws {
    let published = try PublishedVault()
    let vault = published.vault()
    let first = try VaultMonitor(vault)
    var second: VaultMonitor? = try VaultMonitor(vault)
    _ = second?.next()
    _ = first.next()
    second = nil
    let generation = try published.publish()
    try await TestThread.run {
      while let update = first.next() {
        if update.state.generation == generation { return }
      }
    }
  }
}

private func waited(_ monitor: VaultMonitor) -> VaultUpdate? {
  _ = try? waitForInput([monitor.descriptor], timeout: nil)
  return monitor.next(timeout: .zero) ?? waited(monitor)
}
