import FileSupport
import SecretMemory
import SessionModel
import SnapshotFormat
import SnapshotStore

/// What a simulation has on disk, and what it remembers of it.
struct SimulatedStage {
  /// What was published in one namespace.
  struct Shelf {
    /// The session, where there is one.
    var session: Session?
    /// The indices of all tokens of the namespace.
    var tokens: [Int] = []
    /// Whose the next session is: a number for each account.
    var account = 0
    /// The snapshot that is there, where it is one that time changes.
    var file: [UInt8]?
    /// The last session's snapshot before the present one, and the number of its token.
    var older: (bytes: [UInt8], token: Int)?
    /// The last session's snapshot.
    var newest: (bytes: [UInt8], token: Int)?
  }

  /// A session, on the boot clock.
  struct Session {
    /// The index of its token.
    let token: Int
    /// When the token was obtained.
    let issued: Duration
    /// When it ends; nil when that is not known.
    let ends: Duration?
    /// How far the wall clock was set since the host read it.
    var skew: Duration = .zero
  }

  /// The file that says that a directory is a simulation's.
  static let mark = ".simulated"
  /// The longest that a host takes from one publication to the next.
  static let heartbeat = Duration.seconds(6 * 3600)

  /// The runtime directory.
  let runtime: Directory
  /// The host's own writer.
  let publisher: SnapshotPublisher
  /// Seals what is published.
  let encoder: SnapshotEncoder
  /// The access group.
  let accessGroup: AccessGroup
  /// The issuer of all sessions.
  let issuer: String
  /// The tokens that were made up.
  var tokens: [IssuedToken] = []
  /// What was published in each namespace.
  var shelves: [Namespace: Shelf] = [:]
  private var lock: FileLock?
  private var life = SnapshotLife.random()
  private var generation: UInt64 = 0

  /// Opens a runtime directory, with a host that runs.
  ///
  /// - Throws: `SimulationError`.
  init(path: String, accessGroup: AccessGroup, issuer: String) throws(SimulationError) {
    let runtime = try simulating { () throws(FileError) in
      try Directory.create(path: path, policy: .ownerOnly)
    }
    let names = try simulating { () throws(FileError) in try runtime.names() }
    guard names.isEmpty || names.contains(Self.mark) else { throw .notSimulated(path: path) }
    try simulating { () throws(FileError) in
      try runtime.replaceFile(Self.mark, with: [], durability: .volatile)
    }
    self.runtime = runtime
    self.accessGroup = accessGroup
    self.issuer = issuer
    do throws(SecretMemoryError) {
      let master = try SecretBytes(randomCount: AuthenticatedCipher.keyLength)
      encoder = SnapshotEncoder(hostBoxKey: try HostBoxKey(derivedFrom: master), nonces: .random)
    } catch {
      throw .storage(error.description)
    }
    do {
      publisher = try SnapshotPublisher(runtime: runtime) { _ in }
    } catch {
      throw SimulationError(error)
    }
    try startHost()
    goOnFromFormerSimulation()
  }

  // A widget that has read there goes on reading.
  private mutating func goOnFromFormerSimulation() {
    for place in (try? publisher.existingPlaces()) ?? [] {
      guard let header = (try? publisher.readBack(place))??.header else { continue }
      if header.generation > generation { (life, generation) = (header.life, header.generation) }
    }
  }

  /// Behaves as a running host.
  ///
  /// - Throws: `SimulationError`; `inUse` when another one does.
  mutating func startHost() throws(SimulationError) {
    guard lock == nil else { return }
    let runtime = runtime
    lock = try simulating { () throws(FileError) in
      try FileLock(SnapshotLayout.hostLock, in: runtime)
    }
  }

  /// Behaves as a host that has ended.
  mutating func stopHost() { lock = nil }

  /// The place of a namespace.
  func place(_ namespace: Namespace) -> SnapshotPlace {
    SnapshotPlace(accessGroup: accessGroup, namespace: namespace)
  }

  /// The name of an account.
  static func accountName(_ account: Int) -> String {
    let names = ["ada", "grace", "katherine", "hedy"]
    return names[account % names.count] + "@simulated.example"
  }

  /// Takes the next number in this life.
  mutating func nextGeneration() -> (life: SnapshotLife, generation: UInt64) {
    generation += 1
    return (life, generation)
  }

  /// The namespace's directory, made if it is missing.
  ///
  /// - Throws: `SimulationError`.
  func directory(of namespace: Namespace) throws(SimulationError) -> Directory {
    try simulating { () throws(FileError) in
      try groupDirectory().createDirectory(SnapshotLayout.namespaces)
        .createDirectory(namespace.name)
    }
  }

  /// The access group's directory, made if it is missing.
  ///
  /// - Throws: `FileError`.
  func groupDirectory() throws(FileError) -> Directory {
    try runtime.createDirectory(SnapshotLayout.groups).createDirectory(accessGroup.name)
  }

  /// Puts each snapshot that time changes into a new file, for those who wait for one.
  ///
  /// - Throws: `SimulationError`.
  func renewFiles() throws(SimulationError) {
    for (namespace, shelf) in shelves {
      guard let bytes = shelf.file else { continue }
      let directory = try directory(of: namespace)
      try simulating { () throws(FileError) in
        try directory.replaceFile(SnapshotLayout.session, with: bytes, durability: .volatile)
      }
    }
  }
}
