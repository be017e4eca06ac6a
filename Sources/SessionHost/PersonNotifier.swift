import FileSupport
package import SessionModel

/// Where notifications are shown; what comes of it is told as `NotificationPlan.Event`.
package protocol NotificationDisplay: Sendable {
  /// Shows a pop-up, in the place of another one or as a new one, and waits for nothing.
  func show(_ text: NotificationText, replacing number: UInt32?)
  /// Takes a pop-up away, and waits for nothing.
  func close(_ number: UInt32)
}

/// Tells a person on the desktop that a session needs them, as `NotificationPlan` decides.
///
/// A session is never held up: what it says is only taken down. The bus is spoken to while there is
/// something to tell, or a pop-up stands; the rest of the time nothing of this is there.
package final class PersonNotifier: Sendable {
  /// Connects to the desktop; nil where there is none that could ever be reached, and an error where
  /// the machine lacks what it takes, as it may not do later.
  package typealias Connect =
    @Sendable (_ tell: @escaping @Sendable (NotificationPlan.Event) -> Void)
    throws(DesktopConnectionError) -> (any NotificationDisplay)?

  /// How long a bus that could not be had is left alone.
  package static let retryInterval: Duration = .seconds(300)

  private enum Input: Sendable {
    case matter(PersonMatter?, Namespace)
    case configuration(Set<Namespace>, isEnabled: Bool)
    case event(NotificationPlan.Event, connection: Int)
    case time
  }

  private let inputs: AsyncStream<Input>
  private let feed: AsyncStream<Input>.Continuation
  private let file: NotificationFile
  private let time: HostTime
  private let log: HostLog
  private let connect: Connect

  /// Prepares a notifier; nothing happens until `run`.
  ///
  /// - Parameters:
  ///   - file: keeps what was told.
  ///   - time: the clocks.
  ///   - log: where it reports.
  ///   - connect: connects to the desktop, again each time it is needed anew.
  package init(
    file: NotificationFile, time: HostTime, log: HostLog, connect: @escaping Connect
  ) {
    (inputs, feed) = AsyncStream.makeStream(of: Input.self)
    self.file = file
    self.time = time
    self.log = log
    self.connect = connect
  }

  /// Takes note of what a namespace needs; nil where it needs nobody.
  package func note(_ matter: PersonMatter?, of namespace: Namespace) {
    feed.yield(.matter(matter, namespace))
  }

  /// Goes over to another configuration.
  ///
  /// - Parameters:
  ///   - namespaces: the configured namespaces; others need nobody.
  ///   - isEnabled: whether anything is shown.
  package func configure(_ namespaces: Set<Namespace>, isEnabled: Bool) {
    feed.yield(.configuration(namespaces, isEnabled: isEnabled))
  }

  /// Notifies until the task is cancelled; to be called once, and after the state directory is there.
  ///
  /// A pop-up that stands then stays, for the next process to go on with.
  package func run() async {
    let kept = file.load()
    var saved = kept
    var plan = NotificationPlan(kept)
    var desktop = Desktop()
    var timer: Task<Void, Never>?
    for await input in inputs {
      let now = time.now().boot
      switch input {
      case .matter(let matter, let namespace): plan.note(matter, of: namespace, now: now)
      case .configuration(let namespaces, let isEnabled):
        plan.keep(only: namespaces, now: now)
        plan.isEnabled = isEnabled
      case .event(let event, let connection):
        guard connection == desktop.number else { continue }
        plan.note(event, now: now)
        if event == .lost {
          desktop.leave()
          desktop.retryAt = now + Self.retryInterval
        }
      case .time: break
      }
      timer?.cancel()
      timer = act(&plan, &desktop).map { deadline in
        Task { [time, feed] in
          guard (try? await time.sleep(deadline)) != nil else { return }
          feed.yield(.time)
        }
      }
      save(plan.memory, since: &saved)
    }
    timer?.cancel()
  }

  private struct Desktop {
    var display: (any NotificationDisplay)?
    var number = 0
    var retryAt: BootTime?
    var isOutOfReach = false

    /// Hears nothing more of the connection there is.
    mutating func leave() {
      display = nil
      number += 1
    }
  }

  /// Does what there is to do.
  ///
  /// - Returns: when there is more, if nothing happens before.
  private func act(_ plan: inout NotificationPlan, _ desktop: inout Desktop) -> BootTime? {
    guard plan.needsBus, !desktop.isOutOfReach else {
      if desktop.display != nil || desktop.isOutOfReach {
        desktop.leave()
        plan.note(.lost, now: time.now().boot)
      }
      return nil
    }
    if desktop.display == nil {
      if let retryAt = desktop.retryAt, retryAt > time.now().boot { return retryAt }
      let (feed, number) = (feed, desktop.number)
      do throws(DesktopConnectionError) {
        desktop.display = try connect { feed.yield(.event($0, connection: number)) }
      } catch {
        log(.warning, "the desktop cannot be told, which is tried again in 5 minutes: \(error)")
        let retryAt = time.now().boot + Self.retryInterval
        desktop.retryAt = retryAt
        return retryAt
      }
      if desktop.display == nil {
        desktop.isOutOfReach = true
        log(.debug, "there is no session bus, so nobody is notified of what needs a person")
      }
      return nil
    }
    while true {
      switch plan.step(now: time.now().boot) {
      case .rest:
        guard !plan.needsBus else { return nil }
        // What was closed was the last thing to look after.
        desktop.leave()
        plan.note(.lost, now: time.now().boot)
        return nil
      case .wait(let deadline): return deadline
      case .show(let matters, let number):
        let text = NotificationText(matters, now: time.now().wall)
        log(.debug, "notifying: \(text.summary)")
        desktop.display?.show(text, replacing: number)
      case .close(let number): desktop.display?.close(number)
      }
    }
  }

  private func save(_ memory: NotificationPlan.Memory, since saved: inout NotificationPlan.Memory) {
    guard memory != saved else { return }
    saved = memory
    do throws(FileError) {
      try file.save(memory)
    } catch {
      log(.warning, "what people were notified of cannot be stored, and is told again: \(error)")
    }
  }
}
