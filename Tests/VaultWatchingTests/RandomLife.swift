import FileSupport
import FileWatching
import Glibc
import SnapshotFormat
import TestSupport

/// What somebody does with a vault's directories, at random: publishing, removing, moving, stopping
/// whoever watches.
struct RandomLife {
  /// What there is to be read at the end.
  enum Content: Sendable, Hashable {
    case nothing
    case session(UInt64)
    case signedOut(UInt64)
  }

  private enum Step: CaseIterable {
    case publish, signOut, unlink, removeDirectory, makeDirectories, moveAway, moveAndReturn
    case touch, otherFile, stop, goOn, rest
  }

  let published: PublishedVault
  /// What is there now.
  private(set) var content = Content.nothing
  /// What was done since the last rest, for whoever has to find out what went wrong.
  private(set) var steps: [String] = []
  private var generator: SeededGenerator
  private var movedAway = 0
  private var stop: (lock: HandlerStop, token: WatchToken)?

  init(_ published: PublishedVault, seed: UInt64) {
    self.published = published
    generator = SeededGenerator(seed: seed)
  }

  /// The directories from the runtime directory down to the snapshot's own.
  private var levels: [String] {
    ["groups", "default", "ns", "primary"].reduce(into: [published.path]) { levels, name in
      levels.append(levels[levels.count - 1] + "/" + name)
    }
  }

  private var snapshot: String { published.namespacePath + "/session" }

  /// Does a few things, and lets whoever watches go on in the end.
  mutating func live() throws {
    steps = []
    for _ in 0..<Int.random(in: 1...12, using: &generator) {
      let step = Step.allCases.randomElement(using: &generator) ?? .publish
      if step == .rest { break }
      steps.append("\(step)")
      try take(step)
    }
    goOn()
  }

  private mutating func take(_ step: Step) throws {
    switch step {
    case .publish: content = .session(try published.publish())
    case .signOut: content = .signedOut(try published.publish(.signedOut))
    case .unlink: if unsafe unlink(snapshot) == 0 { content = .nothing }
    case .removeDirectory:
      TestFile.removeAll(anyLevel())
      content = .nothing
    case .makeDirectories: _ = try Directory.create(path: levels[4], policy: .ownerOnly)
    case .moveAway: if let place = try moveAway(anyLevel()) { try publishThere(place) }
    case .moveAndReturn:
      let (level, before) = (anyLevel(), content)
      guard let place = try moveAway(level) else { return }
      try TestFile.rename(place, to: level)
      content = before
    case .touch:
      guard content != .nothing else { return }
      try TestFile.setMode(0o400, of: snapshot)
      guard unsafe utimes(snapshot, nil) == 0 else { throw SystemCallError("utimes", snapshot) }
      _ = try TestFile.read(snapshot)
      try TestFile.setMode(0o600, of: snapshot)
    case .otherFile:
      guard let directory = try? Directory.open(path: levels[4], policy: .ownerOnly) else { return }
      try directory.replaceFile("other", with: [1], durability: .volatile)
      try directory.removeFile("other")
    case .stop: if stop == nil { try holdWatcher() }
    case .goOn: goOn()
    case .rest: break
    }
  }

  private mutating func anyLevel() -> String {
    levels.randomElement(using: &generator) ?? published.path
  }

  /// Moves a directory, if it is there, to where nobody looks for it.
  private mutating func moveAway(_ level: String) throws -> String? {
    guard unsafe access(level, F_OK) == 0 else { return nil }
    movedAway += 1
    let place = published.temporary.file("away.\(movedAway)")
    try TestFile.rename(level, to: place)
    content = .nothing
    return place
  }

  /// Replaces the snapshot in a directory that was moved away, which nobody may take for news.
  private func publishThere(_ place: String) throws {
    guard let directory = try? Directory.open(path: place, policy: .ownerOnly),
      try directory.readFile("session", sizeLimit: 1 << 20) != nil
    else { return }
    try directory.replaceFile("session", with: [1], durability: .volatile)
  }

  /// Keeps the thread of all watches from going on.
  private mutating func holdWatcher() throws {
    let lock = try HandlerStop()
    let token = try FileWatcher.watch(WatchRequest(file: "any", in: "/", method: .polling)) { _ in
      lock.hold()
    }
    stop = (lock, token)
  }

  private mutating func goOn() {
    stop?.lock.release()
    stop?.token.cancel()
    stop = nil
  }
}
