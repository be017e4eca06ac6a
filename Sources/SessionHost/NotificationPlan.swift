package import SessionModel

/// Decides when the desktop shows a notification, replaces it and takes it away: a pure reckoning.
///
/// There is one pop-up at most. Namespaces that come to need a person within a short time are told of
/// together; while the pop-up stands, whatever comes later goes into it. Once the person has closed it,
/// the next one waits until some minutes have passed since the last new one. It is taken away as soon
/// as none of its namespaces needs a person any more.
///
/// What was told is remembered beyond the process: a host that begins anew tells nobody of a state that
/// it merely finds, and goes on with a pop-up that still stands. It is remembered only after the server
/// has said that the pop-up is there. So a host that is killed in between tells it once more, which is
/// better than never; and what nobody could be shown, because there was no desktop, is shown at the
/// first one.
package struct NotificationPlan: Sendable {
  /// How long namespaces that end one after another are waited for.
  package static let gathering: Duration = .seconds(3)
  /// How far new pop-ups are apart at least.
  package static let interval: Duration = .seconds(300)
  /// How often showing is tried for one occasion, on servers that come and go.
  package static let attemptLimit = 3

  /// A pop-up that stands.
  package struct PopUp: Sendable, Hashable {
    /// Its number at the server.
    package var number: UInt32
    /// The server, this very process of it.
    package var server: String
    /// What it tells of.
    package var stages: [Namespace: PersonMatter.Stage]
  }

  /// What the next process has to know.
  package struct Memory: Sendable, Hashable {
    /// What the person was told of in each namespace, for as long as it lasts.
    package var told: [Namespace: PersonMatter.Stage] = [:]
    /// The pop-up, while it stands.
    package var popUp: PopUp?

    /// Creates a memory of nothing.
    package init() {}
  }

  /// What happens at the desktop.
  package enum Event: Sendable, Hashable {
    /// The server there is; nil for none. The first one says that the bus is heard.
    case server(String?)
    /// The pop-up that was asked for is there.
    case shown(UInt32, server: String)
    /// It is not, and this server has said so; nil where there was none.
    case refused(server: String?)
    /// A pop-up is gone.
    case closed(UInt32)
    /// The bus is gone.
    case lost
  }

  /// What to do next.
  package enum Step: Sendable, Hashable {
    /// Nothing until something happens.
    case rest
    /// Nothing until then, if nothing happens before.
    case wait(until: BootTime)
    /// Show a pop-up.
    case show([Namespace: PersonMatter], replacing: UInt32?)
    /// Take one away.
    case close(UInt32)
  }

  /// What the next process has to know.
  package private(set) var memory: Memory
  /// Whether anything may be shown.
  package var isEnabled = true
  // Nil where nobody has said anything yet, which is no reason to take a pop-up away.
  private var matters: [Namespace: PersonMatter?] = [:]
  private var freshSince: [Namespace: BootTime] = [:]
  private var isConnected = false
  private var server: String?
  private var asked: (stages: [Namespace: PersonMatter.Stage], replacing: UInt32?)?
  private var lastNewAt: BootTime?
  private var attempts = 0
  // Until another server comes, or there is something new to tell.
  private var isRefused = false

  /// Begins with what the last process knew.
  package init(_ memory: Memory = Memory()) {
    self.memory = memory
  }

  /// Whether the bus is needed: there is something to tell, or a pop-up to look after.
  package var needsBus: Bool {
    asked != nil || memory.popUp != nil || isEnabled && !freshSince.isEmpty
  }

  /// Takes note of what a namespace needs; nil where it needs nobody.
  package mutating func note(_ matter: PersonMatter?, of namespace: Namespace, now: BootTime) {
    matters[namespace] = .some(matter)
    guard let stage = matter?.stage else {
      memory.told[namespace] = nil
      freshSince[namespace] = nil
      return
    }
    if let told = memory.told[namespace], told >= stage {
      // From a session that ended and has come back, with a login that still ends.
      memory.told[namespace] = stage
      freshSince[namespace] = nil
    } else if freshSince[namespace] == nil {
      freshSince[namespace] = now
      (isRefused, attempts) = (false, 0)
    }
  }

  /// Forgets the namespaces that are not configured any more.
  package mutating func keep(only namespaces: Set<Namespace>, now: BootTime) {
    let known = Set(matters.keys).union(memory.told.keys)
      .union(memory.popUp.map { Set($0.stages.keys) } ?? [])
    for namespace in known.subtracting(namespaces) { note(nil, of: namespace, now: now) }
  }

  /// Takes note of what happens at the desktop.
  package mutating func note(_ event: Event, now: BootTime) {
    switch event {
    case .server(let next):
      isConnected = true
      if next != nil, next != server, attempts < Self.attemptLimit { isRefused = false }
      server = next
      if memory.popUp?.server != next { memory.popUp = nil }
    case .shown(let number, let host):
      guard let asked else { return }
      self.asked = nil
      attempts = 0
      if asked.replacing != number { lastNewAt = now }
      memory.popUp =
        host == server ? PopUp(number: number, server: host, stages: asked.stages) : nil
      for (namespace, stage) in asked.stages {
        guard let current = currentStage(namespace) else { continue }
        memory.told[namespace] = min(stage, current)
        if stage >= current { freshSince[namespace] = nil }
      }
    case .refused(let host):
      asked = nil
      isRefused = server == nil || server == host || attempts >= Self.attemptLimit
    case .closed(let number):
      if memory.popUp?.number == number { memory.popUp = nil }
    case .lost:
      (isConnected, server, asked) = (false, nil, nil)
      memory.popUp = nil
    }
  }

  /// Decides what to do next, and takes it for done.
  package mutating func step(now: BootTime) -> Step {
    guard isConnected, asked == nil else { return .rest }
    if let popUp = memory.popUp {
      if !isEnabled { return close(popUp) }
      if isOutdated(popUp) {
        let matters = content(besides: popUp)
        return isRefused || matters.isEmpty ? close(popUp) : show(matters, popUp.number)
      }
    }
    guard isEnabled, !isRefused, let first = freshSince.values.min() else { return .rest }
    var due = first + Self.gathering
    if memory.popUp == nil, let lastNewAt { due = max(due, lastNewAt + Self.interval) }
    guard due <= now else { return .wait(until: due) }
    return show(content(besides: memory.popUp), memory.popUp?.number)
  }

  private mutating func show(_ matters: [Namespace: PersonMatter], _ number: UInt32?) -> Step {
    asked = (matters.mapValues(\.stage), number)
    attempts += 1
    return .show(matters, replacing: number)
  }

  private mutating func close(_ popUp: PopUp) -> Step {
    memory.popUp = nil
    return .close(popUp.number)
  }

  private func currentStage(_ namespace: Namespace) -> PersonMatter.Stage? {
    (matters[namespace] ?? nil)?.stage
  }

  /// Whether it says more of a namespace than is so.
  private func isOutdated(_ popUp: PopUp) -> Bool {
    popUp.stages.contains { namespace, stage in
      guard matters[namespace] != nil else { return false }
      return currentStage(namespace).map { $0 < stage } ?? true
    }
  }

  /// What is to be told now, and what the pop-up tells of that still is so.
  private func content(besides popUp: PopUp?) -> [Namespace: PersonMatter] {
    matters.compactMapValues(\.self).filter { namespace, _ in
      freshSince[namespace] != nil || popUp?.stages[namespace] != nil
    }
  }
}
