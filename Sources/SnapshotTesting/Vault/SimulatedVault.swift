import FileSupport
import Glibc
public import SessionModel
import Synchronization
public import VaultReader

/// A real runtime directory whose snapshots can be put into any state.
///
/// Its directories, files, modes, keys and locks are those that the host makes, by the host's own
/// code. What it lacks is the control socket: who asks the host for something finds none.
///
/// ```swift
/// let simulation = try SimulatedVault()
/// let widget = MyWidget(vault: simulation.reader())
/// try simulation.show(.offline)
/// #expect(widget.text == "ada@simulated.example (offline)")
/// try simulation.advance(by: .seconds(3600))
/// #expect(widget.text == "the session has ended")
/// ```
public final class SimulatedVault: Sendable {
  /// The runtime directory, for `TOKENVAULT_RUNTIME_DIR`.
  public let path: String
  /// The access group whose snapshots are made.
  public let accessGroup: AccessGroup
  let clocks: SimulatedClocks
  let stage: Mutex<SimulatedStage>
  private let temporary: TemporaryTree?

  /// Makes a runtime directory with a host that runs and has published nothing.
  ///
  /// - Parameters:
  ///   - path: the directory, made if it is missing, and left there in the end; nil for one of its
  ///     own below `$TMPDIR`, which goes away with the simulation.
  ///   - accessGroup: the access group, `default` as a rule.
  ///   - time: which clocks the simulation and its readers go by.
  ///   - issuer: the issuer of all sessions, which no widget has anything to do with.
  /// - Throws: `SimulationError`; a directory with anything in it that no simulation made is left
  ///   alone.
  public init(
    in path: String? = nil, accessGroup: AccessGroup = .default, time: SimulatedTime = .manual,
    issuer: String = "https://issuer.simulated.example"
  ) throws(SimulationError) {
    clocks = try SimulatedClocks(time)
    self.accessGroup = accessGroup
    if let path {
      temporary = nil
      self.path = path
    } else {
      let tree = try TemporaryTree()
      temporary = tree
      self.path = tree.path + "/run"
    }
    stage = Mutex(
      try SimulatedStage(path: self.path, accessGroup: accessGroup, issuer: issuer))
  }

  /// What a program has to have in its environment, so that it reads here and writes nowhere else.
  ///
  /// With a directory of its own the host's other directories are in there too.
  public var environment: [String: String] {
    var variables = ["TOKENVAULT_RUNTIME_DIR": path]
    if let temporary {
      variables["TOKENVAULT_STATE_DIR"] = temporary.path + "/state"
      variables["TOKENVAULT_KEY_DIR"] = temporary.path + "/keys"
    }
    return variables
  }

  /// Makes a reader that goes by the simulation's clocks, for the widget under test.
  ///
  /// Its `updates` tell of a change at once, also of one that the manual clock brings.
  public func reader() -> TokenVault {
    TokenVault(
      accessGroup: accessGroup,
      directories: VaultDirectories(
        environment: Environment(["TOKENVAULT_RUNTIME_DIR": path]), user: geteuid()),
      clock: clocks.readerClock)
  }

  /// All tokens that were made up so far, the newest last.
  public var tokens: [IssuedToken] { stage.withLock { $0.tokens } }

  /// Puts a namespace into a state, as one change that a reader sees whole.
  ///
  /// What only the host says of itself, such as `offline`, is said of the session that is there; where
  /// none is, an hour's session begins. All states but `stale(.hostStopped)` have a running host.
  /// - Parameters:
  ///   - state: the state.
  ///   - namespace: the namespace.
  /// - Throws: `SimulationError`.
  public func show(
    _ state: SimulatedState, namespace: Namespace = .primary
  ) throws(SimulationError) {
    let (now, boot) = (clocks.now, clocks.bootIdentifier)
    try stage.withLock { stage throws(SimulationError) in
      try stage.show(state, in: namespace, at: now, boot: boot)
    }
  }

  /// Lets time pass on the manual clocks: tokens end, and hosts become late.
  ///
  /// - Parameter duration: how much time; nothing happens in between.
  /// - Throws: `SimulationError`; `unsuitable` where the clocks are the system's.
  public func advance(by duration: Duration) throws(SimulationError) {
    try move { $0.advance(by: duration) }
  }

  /// Sets the manual wall clock, as a person or NTP does; the boot clock goes on as it was.
  ///
  /// - Parameter duration: by how much; a negative one sets it back.
  /// - Throws: `SimulationError`; `unsuitable` where the clocks are the system's.
  public func setWallClock(by duration: Duration) throws(SimulationError) {
    try move { $0.setWall(by: duration) }
  }

  /// Stops the host, or starts it again, without another snapshot.
  ///
  /// - Parameter isRunning: whether a host runs from now on.
  /// - Throws: `SimulationError`.
  package func setHost(isRunning: Bool) throws(SimulationError) {
    try stage.withLock { stage throws(SimulationError) in
      if isRunning { try stage.startHost() } else { stage.stopHost() }
    }
  }

  /// What a reader that starts now makes of a namespace.
  ///
  /// - Parameter namespace: the namespace.
  /// - Returns: words like `valid, host ok`.
  package func words(of namespace: Namespace) -> String {
    reader().state(namespace: namespace.name).words
  }

  private func move(_ change: (SimulatedClocks) -> Void) throws(SimulationError) {
    guard clocks.time == .manual else {
      throw .unsuitable("the system's clocks are not moved; make the simulation with time: .manual")
    }
    change(clocks)
    // Whoever waits for a change has set an alarm on the system's clock: a new file is looked at now.
    try stage.withLock { stage throws(SimulationError) in try stage.renewFiles() }
  }
}

extension VaultState {
  /// What it says on both axes: `valid, host ok`.
  var words: String { "\(session.word), host \(host.word)" }
}
