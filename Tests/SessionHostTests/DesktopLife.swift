import SessionHost
import SessionModel
import TestSupport

/// Whatever may happen to a plan and to the desktop that it shows on, by chance, and what has to hold.
struct DesktopLife {
  private static let names = ["a", "b", "c", "d", "e"].compactMap { Namespace($0) }
  private static let ended = PersonMatter(.sessionEnded(.invalidGrant))
  private static let ending = PersonMatter(.loginEnds(UnixTime(rawValue: 1), isLearnt: false))

  private var chance: SeededGenerator
  private var plan = NotificationPlan()
  private var now: Int64 = 1
  private var matters: [Namespace: PersonMatter] = [:]
  private var isBusThere = true
  // The server that there is, by its number, and whether it does anything.
  private var server: Int? = 0
  private var servers = 0
  private var isHanging = false
  private var question: (matters: [Namespace: PersonMatter], replacing: UInt32?)?
  private var standing: [UInt32: [Namespace: PersonMatter.Stage]] = [:]
  private var lastNumber: UInt32 = 0
  // What the person has seen of what is so.
  private var seen: [Namespace: PersonMatter.Stage] = [:]
  private var lastNewAt: Int64?
  private var lastDistance: Int64?
  private(set) var newPopUps = 0

  init(seed: UInt64) {
    chance = SeededGenerator(seed: seed)
    plan.note(.server("0"), now: time)
  }

  private var time: BootTime { BootTime(rawValue: UInt64(now) * 1_000_000_000) }

  /// What does not hold; nil where all does.
  var fault: String? {
    if standing.count > 1 { return "\(standing.count) pop-ups stand" }
    if let lastDistance, lastDistance < 300 { return "a new pop-up after \(lastDistance) s" }
    guard isBusThere, server != nil, !isHanging else { return nil }
    for (namespace, stage) in standing.values.flatMap(\.self) {
      guard let matter = matters[namespace] else { return "\(namespace) needs nobody" }
      if matter.stage < stage { return "\(namespace) is not over" }
    }
    return nil
  }

  /// The namespaces that need a person who does not know.
  var untold: [Namespace] {
    matters.filter { seen[$0.key] != $0.value.stage }.map(\.key)
  }

  /// Lets something happen.
  mutating func happen() -> String {
    let deed = Int.random(in: 0..<20, using: &chance)
    switch deed {
    case 0...5: now += Int64.random(in: 0...200, using: &chance)
    case 6...12: changeMatter()
    case 13:
      // The person closes it.
      guard server != nil, !isHanging, let number = standing.keys.first else { break }
      standing = [:]
      if isBusThere { plan.note(.closed(number), now: time) }
    case 14: isHanging = server != nil && !isHanging
    case 15: changeServer()
    case 16: changeBus()
    case 17 where question == nil: restart()
    default: now += 1
    }
    settle()
    return "deed \(deed) at \(now)"
  }

  /// Brings everything back, and something new.
  mutating func becomeWell() {
    isHanging = false
    settle()
    if !isBusThere { changeBus() }
    if server == nil { changeServer() }
    matters[.primary] = Self.ended
    plan.note(Self.ended, of: .primary, now: time)
    for _ in 0..<3 {
      now += 400
      settle()
    }
  }

  private mutating func changeMatter() {
    let namespace = Self.names.randomElement(using: &chance) ?? .primary
    let matter = [nil, nil, Self.ending, Self.ended].randomElement(using: &chance) ?? nil
    matters[namespace] = matter
    seen[namespace] = matter.flatMap { now in seen[namespace].map { min($0, now.stage) } }
    plan.note(matter, of: namespace, now: time)
  }

  private mutating func changeServer() {
    guard isBusThere else { return }
    let former = server
    isHanging = false
    standing = [:]
    if former == nil { servers += 1 }
    server = former == nil ? servers : nil
    plan.note(.server(server.map { "\($0)" }), now: time)
    if question != nil {
      question = nil
      plan.note(.refused(server: former.map { "\($0)" }), now: time)
    }
  }

  private mutating func changeBus() {
    isBusThere.toggle()
    guard isBusThere else {
      (standing, question, server, isHanging) = ([:], nil, nil, false)
      return plan.note(.lost, now: time)
    }
    plan.note(.server(nil), now: time)
  }

  private mutating func restart() {
    plan = NotificationPlan(plan.memory)
    // Of the distance, the next process knows nothing.
    lastNewAt = nil
    if isBusThere { plan.note(.server(server.map { "\($0)" }), now: time) }
    for namespace in Self.names + [.primary] {
      plan.note(matters[namespace], of: namespace, now: time)
    }
  }

  private mutating func settle() {
    if let question, !isHanging {
      self.question = nil
      answer(question.matters, question.replacing)
    }
    while true {
      switch plan.step(now: time) {
      case .rest, .wait: return
      case .close(let number): standing[number] = nil
      case .show(let matters, let number):
        guard !isHanging else {
          question = (matters, number)
          return
        }
        answer(matters, number)
      }
    }
  }

  private mutating func answer(_ matters: [Namespace: PersonMatter], _ replacing: UInt32?) {
    guard let server else { return plan.note(.refused(server: nil), now: time) }
    let number = replacing ?? lastNumber + 1
    // As dunst does it, one that is gone can be replaced all the same, and is a new one.
    if standing[number] == nil {
      lastNumber = max(lastNumber, number)
      newPopUps += 1
      lastDistance = lastNewAt.map { now - $0 }
      lastNewAt = now
    }
    standing[number] = matters.mapValues(\.stage)
    for (namespace, matter) in matters {
      guard let current = self.matters[namespace]?.stage else { continue }
      seen[namespace] = max(seen[namespace] ?? .ending, min(matter.stage, current))
    }
    plan.note(.shown(number, server: "\(server)"), now: time)
  }
}
