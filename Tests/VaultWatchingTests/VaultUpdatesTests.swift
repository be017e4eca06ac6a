import FileSupport
import Glibc
import SessionModel
import SnapshotFormat
import TestSupport
import Testing
import VaultReader
import VaultWatching

@Suite(.timeLimit(.minutes(1)))
struct VaultUpdatesTests {
  /// Takes all updates in a task of its own until the test ends.
  private func record(
    _ vault: TokenVault
  ) -> (updates: EventRecorder<VaultUpdate>, task: Task<Void, Never>) {
    let updates = EventRecorder<VaultUpdate>()
    let task = Task {
      for await update in vault.updates() { updates.record(update) }
      updates.finish()
    }
    return (updates, task)
  }

  @Test func thePresentStateComesFirstThenEachPublication() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish()
    let (updates, task) = record(published.vault())
    defer { task.cancel() }
    let first = try await updates.next()
    #expect(first.change == .current)
    #expect(first.state.session == .valid)
    #expect(first.state.host == .reported(.ok))
    #expect(first.watchMode == .inotify)
    for _ in 0..<50 {
      let generation = try published.publish()
      let update = try await updates.next()
      #expect(update.change == .snapshot)
      #expect(update.state.generation == generation)
    }
    withExtendedLifetime(lock) {}
  }

  @Test func aSlowTakerGetsTheNewestAlone() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish()
    let updates = published.vault().updates()
    var iterator = updates.makeAsyncIterator()
    _ = await iterator.next()
    var newest: UInt64 = 0
    for _ in 0..<100 { newest = try published.publish() }
    let next = await iterator.next()
    #expect(next?.state.generation == newest)
    withExtendedLifetime(lock) {}
  }

  @Test func wt12WithoutAnyDirectoryTheFirstPublicationIsSeen() async throws {
    let published = try PublishedVault()
    let (updates, task) = record(published.vault())
    defer { task.cancel() }
    let first = try await updates.next()
    #expect(first.state.session == .absent)
    #expect(first.watchMode == .inotify)
    let lock = try published.holdHostLock()
    let generation = try published.publish()
    try await updates.next { $0.state.generation == generation && $0.state.session == .valid }
    withExtendedLifetime(lock) {}
  }

  @Test func aBetterPlaceThanTheFirstIsSeenToo() async throws {
    let published = try PublishedVault()
    let better = try published.temporary.makeDirectory("user")
    let worse = published.temporary.file("tokenvault/run")
    let old = try published.publish(at: worse)
    let (updates, task) = record(published.vault(alsoIn: better))
    defer { task.cancel() }
    try await updates.next { $0.state.generation == old }
    let new = try published.publish(at: better + "/tokenvault")
    try await updates.next { $0.state.generation == new }
  }

  @Test func aPlaceThatIsPassedOverIsNotTheOneThatIsWatched() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    let passed = try published.temporary.makeDirectory("user")
    // No directory, but a link to one with a namespace's directory in it.
    _ = try Directory.create(
      path: published.temporary.file("other/groups/default/ns/primary"), policy: .ownerOnly)
    #expect(unsafe symlink(published.temporary.file("other"), passed + "/tokenvault") == 0)
    let read = published.temporary.file("tokenvault/run")
    let old = try published.publish(at: read)
    let (updates, task) = record(published.vault(alsoIn: passed))
    defer { task.cancel() }
    let first = try await updates.next()
    #expect(first.state.generation == old)
    let start = ContinuousClock.now
    let new = try published.publish(at: read)
    try await updates.next { $0.state.generation == new }
    // A look every 30 s would find it too.
    #expect(ContinuousClock.now - start < .seconds(20))
    withExtendedLifetime(lock) {}
  }

  @Test func wt13ASignOutIsToldOnce() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish()
    let (updates, task) = record(published.vault())
    defer { task.cancel() }
    try await updates.next { $0.state.session == .valid }
    try published.publish(.signedOut)
    try await updates.next { $0.state.session == .signedOut }
    try Directory.open(path: published.namespacePath, policy: .ownerOnly).removeFile("session")
    try await updates.next { $0.state.session == .absent }
    let generation = try published.publish()
    try await updates.next { $0.state.generation == generation }
    #expect(
      updates.events.map(\.state.session) == [.valid, .signedOut, .absent, .valid])
    withExtendedLifetime(lock) {}
  }

  @Test func wt14TouchingIsNotTold() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish()
    let (updates, task) = record(published.vault())
    defer { task.cancel() }
    try await updates.next()
    #expect(unsafe utimes(published.namespacePath + "/session", nil) == 0)
    // The same bytes once more are an event and a new file, but the same snapshot.
    let directory = try Directory.open(path: published.namespacePath, policy: .ownerOnly)
    let bytes = try #require(try directory.readFile("session", sizeLimit: 1 << 20))
    try directory.replaceFile("session", with: bytes, durability: .volatile)
    let generation = try published.publish()
    let update = try await updates.next()
    #expect(update.state.generation == generation)
    withExtendedLifetime(lock) {}
  }

  @Test func anotherAccountIsAChangeOfItsOwn() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish(account: 5)
    let (updates, task) = record(published.vault())
    defer { task.cancel() }
    try await updates.next()
    try published.publish(.signedOut)
    let out = try await updates.next { $0.state.session == .signedOut }
    #expect(!out.isAccountChanged)
    try published.publish(account: 6)
    let other = try await updates.next { $0.state.session == .valid }
    #expect(other.isAccountChanged)
    try published.publish(account: 6)
    let same = try await updates.next()
    #expect(!same.isAccountChanged)
    withExtendedLifetime(lock) {}
  }

  @Test func timeAloneMakesATokenExpire() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish(expiresIn: .seconds(2))
    let (updates, task) = record(published.vault())
    defer { task.cancel() }
    let expired = try await updates.next { $0.state.session == .expired }
    // On a machine that is busy for two seconds the first look comes too late.
    #expect(expired.change == .condition || updates.events.count == 1)
    withExtendedLifetime(lock) {}
  }

  @Test func anOverdueHostIsTold() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish(nextPublicationIn: .milliseconds(300))
    let (updates, task) = record(published.vault())
    defer { task.cancel() }
    let stale = try await updates.next { $0.state.host == .stale }
    #expect(stale.state.session == .valid)
    withExtendedLifetime(lock) {}
  }

  @Test func aHostThatEndsIsToldAlthoughItPublishesNothing() async throws {
    let published = try PublishedVault()
    try published.publish()
    var lock: FileLock? = try published.holdHostLock()
    let (updates, task) = record(published.vault())
    defer { task.cancel() }
    let first = try await updates.next()
    #expect(first.state.host == .reported(.ok))
    withExtendedLifetime(lock) {}
    lock = nil
    let gone = try await updates.next { $0.state.host == .stale }
    #expect(gone.change == .condition)
  }

  @Test func fs01AnErrorThatNoEventEndsIsLookedAtAgain() async throws {
    let published = try PublishedVault()
    let lock = try published.holdHostLock()
    try published.publish()
    let key = published.path + "/groups/default/key"
    #expect(unsafe chmod(key, 0o604) == 0)
    let (updates, task) = record(published.vault())
    defer { task.cancel() }
    let refused = try await updates.next()
    #expect(refused.state.session == .permission)
    #expect(unsafe chmod(key, 0o600) == 0)
    try await updates.next { $0.state.session == .valid }
    withExtendedLifetime(lock) {}
  }

  @Test func aCancelledTaskStopsWithin50Milliseconds() async throws {
    let published = try PublishedVault()
    try published.publish()
    var stops: [Duration] = []
    for _ in 0..<11 {
      let (updates, task) = record(published.vault())
      try await updates.next()
      let start = ContinuousClock.now
      task.cancel()
      await task.value
      stops.append(ContinuousClock.now - start)
    }
    // The median, because one of them may wait for a processor.
    #expect(stops.sorted()[5] < .milliseconds(50))
  }

  // In a process of its own, which may start no thread for a while.
  @Test func withoutAThreadItLooksByItselfAndTheWatchIsTriedAgain() async {
    await #expect(processExitsWith: .success) {
      alarm(50)
      let home = try limitedHome()
      let published = try PublishedVault(in: home.path)
      try published.publish()
      // What sleeping needs is there before.
      try await Task.sleep(for: .milliseconds(1))
      let limit = try limitThreads(to: nil)
      var iterator = published.vault().updates().makeAsyncIterator()
      let first = try #require(await iterator.next())
      guard case .polling = first.watchMode else { exit(3) }
      let generation = try published.publish()
      while let update = await iterator.next(), update.state.generation != generation {}
      _ = try limitThreads(to: limit)
      while let update = await iterator.next(), update.watchMode != .inotify {}
      withExtendedLifetime(home) {}
    }
  }

  @Test func aNamespaceThatCannotExistIsAState() async throws {
    let published = try PublishedVault()
    var iterator = published.vault().updates(namespace: "../x").makeAsyncIterator()
    let update = await iterator.next()
    #expect(update?.state.session == .absent)
    #expect(update?.state.reason?.contains("../x") == true)
  }
}
