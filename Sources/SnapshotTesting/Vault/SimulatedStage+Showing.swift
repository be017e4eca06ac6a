import FileSupport
import SessionModel
import SnapshotFormat
import SnapshotStore

/// When something is shown: both clocks, and the boot that they are of.
struct StageMoment {
  /// Both clocks.
  let now: SimulatedClocks.Reading
  /// The present boot.
  let boot: BootIdentifier
}

extension SimulatedStage {
  /// Puts a namespace into a state.
  ///
  /// - Throws: `SimulationError`.
  mutating func show(
    _ state: SimulatedState, in namespace: Namespace, at now: SimulatedClocks.Reading,
    boot: BootIdentifier
  ) throws(SimulationError) {
    let moment = StageMoment(now: now, boot: boot)
    if state != .stale(.hostStopped) { try startHost() }
    switch state {
    case .absent: try remove(namespace)
    case .valid(let validity): try beginSession(for: validity, in: namespace, moment)
    case .expiring(let validity): try showExpiring(validity, in: namespace, moment)
    case .expired(let since):
      try beginSession(for: .zero - since, since: since + .seconds(3600), in: namespace, moment)
    case .expiryUnknown: try beginSession(for: nil, in: namespace, moment)
    case .accountChanged(let validity):
      withdraw(in: namespace, at: now, "another account signed in")
      shelves[namespace, default: Shelf()].account += 1
      try beginSession(for: validity, in: namespace, moment)
    case .renewing: try say(.renewing, in: namespace, moment)
    case .offline: try say(.offline, in: namespace, moment)
    case .storageFailed: try say(.storageFailed, in: namespace, moment)
    case .locked: try say(.locked, in: namespace, moment)
    case .waiting(let patience):
      let wall = PublicationMoment(now: now, boot: boot, validity: .zero).published.wall
      try say(.waiting(until: wall + patience), in: namespace, moment)
    case .stale(let cause): try showStale(cause, in: namespace, moment)
    case .signedOut:
      withdraw(in: namespace, at: now, "the person signed out")
      try endSession(.signedOut, in: namespace, moment)
    case .reauthenticationRequired(let reason):
      withdraw(in: namespace, at: now, "the session ended")
      try endSession(.reauthenticationRequired(reason), in: namespace, moment)
    case .clockSkew(let skew):
      try ensureSession(in: namespace, moment)
      shelves[namespace]?.session?.skew = skew
      try say(.ok, in: namespace, moment)
    default: try damage(state, in: namespace, moment)
    }
  }

  private mutating func showExpiring(
    _ validity: Duration, in namespace: Namespace, _ moment: StageMoment
  ) throws(SimulationError) {
    guard validity < .seconds(30), validity > .zero else {
      throw .unsuitable(
        "a token that is good for \(DurationText.format(validity)) more is not expiring: the"
          + " default margin is 30s at most")
    }
    // Of an hour in all, so that the margin is the whole 30 s.
    try beginSession(for: validity, since: .seconds(3600) - validity, in: namespace, moment)
  }

  private mutating func showStale(
    _ cause: SimulatedState.StaleCause, in namespace: Namespace, _ moment: StageMoment
  ) throws(SimulationError) {
    try ensureSession(in: namespace, moment)
    switch cause {
    case .hostStopped: stopHost()
    case .overdue: try publish(.ok, in: namespace, moment, deadline: .seconds(-1))
    case .earlierBoot:
      let former = StageMoment(now: moment.now, boot: SimulatedClocks.anotherBoot)
      try publish(.ok, in: namespace, former, deadline: Self.heartbeat)
    }
  }

  private mutating func remove(_ namespace: Namespace) throws(SimulationError) {
    shelves[namespace]?.session = nil
    shelves[namespace]?.file = nil
    // In the place of the snapshot may be what nobody publishes.
    do throws(SnapshotStoreError) {
      try publisher.remove(place(namespace))
    } catch {
      throw SimulationError(error)
    }
  }

  /// Begins a session with a token of its own, and publishes it.
  private mutating func beginSession(
    for validity: Duration?, since age: Duration = .zero, in namespace: Namespace,
    _ moment: StageMoment
  ) throws(SimulationError) {
    let account = shelves[namespace, default: Shelf()].account
    tokens.append(
      .new(number: tokens.count + 1, accountName: Self.accountName(account)))
    let boot = moment.now.boot
    shelves[namespace, default: Shelf()].tokens.append(tokens.count - 1)
    shelves[namespace, default: Shelf()].session = Session(
      token: tokens.count - 1, issued: boot - age, ends: validity.map { boot + $0 })
    try say(.ok, in: namespace, moment)
  }

  /// Makes sure that there is a session that something can be said of.
  mutating func ensureSession(
    in namespace: Namespace, _ moment: StageMoment
  ) throws(SimulationError) {
    guard shelves[namespace]?.session == nil else { return }
    try beginSession(for: .seconds(3600), in: namespace, moment)
  }

  private mutating func say(
    _ hostState: HostState, in namespace: Namespace, _ moment: StageMoment
  ) throws(SimulationError) {
    try ensureSession(in: namespace, moment)
    // A host that works as planned publishes again before the token ends.
    var deadline = Self.heartbeat
    if hostState == .ok, let ends = shelves[namespace]?.session?.ends, ends > moment.now.boot {
      deadline = min(ends - moment.now.boot, deadline)
    }
    try publish(hostState, in: namespace, moment, deadline: deadline)
  }

  private mutating func endSession(
    _ content: SnapshotContent, in namespace: Namespace, _ moment: StageMoment
  ) throws(SimulationError) {
    shelves[namespace, default: Shelf()].session = nil
    let times = PublicationMoment(now: moment.now, boot: moment.boot, validity: .zero)
    let draft = draft(
      content, in: namespace, times, hostState: .ok,
      deadline: times.deadline(after: Self.heartbeat, boot: moment.now.boot))
    try publish(draft, in: namespace)
  }

  private mutating func withdraw(
    in namespace: Namespace, at now: SimulatedClocks.Reading, _ cause: String
  ) {
    // Those before the present one too, which may be good for a while yet.
    for token in shelves[namespace]?.tokens ?? [] where tokens[token].withdrawal == nil {
      tokens[token].withdrawal = .init(at: now.boot, cause: cause)
    }
  }
}
