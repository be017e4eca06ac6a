package import FileSupport

/// Hears from logind when the machine sleeps and wakes up, and when a person's session is locked and
/// unlocked (`org.freedesktop.login1(5)`).
///
/// No timer of a process notices a suspend: what was to happen meanwhile happens late, by as much as
/// was left of the wait. Whoever has no logind goes on without this, and it is looked for again.
package enum LoginMonitor {
  /// What there is to hear.
  package enum Notice: Sendable, Hashable {
    /// From now on nothing is missed.
    case listening
    /// The machine is about to sleep (`PrepareForSleep`, true).
    case suspending
    /// The machine is awake again (`PrepareForSleep`, false).
    case resumed
    /// A session of the user is locked: it was asked to lock (`Lock`), or says that it is
    /// (`LockedHint`), at once where it was so before.
    case locked
    /// A session of the user is unlocked (`Unlock`, `LockedHint`).
    case unlocked
    /// Nothing is heard until it is listened again; the call that failed, and why.
    case unavailable(call: String, Errno)
  }

  /// The notices from now on, read by a thread of their own until the stream's consumer is gone.
  ///
  /// - Parameters:
  ///   - address: the bus (`DBUS_SYSTEM_BUS_ADDRESS`); nil for the system's usual one.
  ///   - user: whose sessions are meant.
  /// - Returns: a stream for one consumer.
  /// - Throws: the error number of the thread.
  package static func notices(
    address: String? = nil, user: UInt32
  ) throws(Errno) -> AsyncStream<Notice> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Notice.self, bufferingPolicy: .bufferingNewest(16))
    let bell = try Doorbell()
    continuation.onTermination = { _ in bell.ring() }
    try DedicatedThread.start("logind") {
      listenAgainAndAgain(to: address, of: user, until: bell) { continuation.yield($0) }
      continuation.finish()
    }
    return stream
  }

  private static let shortestPause: Duration = .seconds(1)
  private static let longestPause: Duration = .seconds(300)

  private static func listenAgainAndAgain(
    to address: String?, of user: UInt32, until bell: Doorbell, _ tell: (Notice) -> Void
  ) {
    var pause = shortestPause
    var last: Notice?
    while true {
      do throws(BusError) {
        let login = try LoginBus(address: address, user: user)
        pause = shortestPause
        last = nil
        tell(.listening)
        if login.isLocked { tell(.locked) }
        while let message = try login.bus.next(until: bell) {
          if let notice = login.notice(in: message) { tell(notice) }
        }
        return
      } catch {
        let notice = Notice.unavailable(call: error.call, error.number)
        // One that is not there is not told of at each look.
        if notice != last { tell(notice) }
        last = notice
      }
      guard let isRung = try? waitForInput(bell.rawDescriptor, timeout: pause), !isRung else {
        return
      }
      pause = min(pause * 2, longestPause)
    }
  }
}

/// logind on a bus.
private struct LoginBus: ~Copyable {
  private static let service = "org.freedesktop.login1"
  private static let root = "/org/freedesktop/login1"
  private static let manager = "org.freedesktop.login1.Manager"
  private static let session = "org.freedesktop.login1.Session"
  private static let properties = "org.freedesktop.DBus.Properties"
  private static let hint = "LockedHint"

  let bus: BusConnection
  private let user: UInt32

  init(address: String?, user: UInt32) throws(BusError) {
    let bus = try BusConnection(address: address)
    let source = "type='signal',sender='\(Self.service)'"
    let sessions = "\(source),path_namespace='\(Self.root)/session'"
    try bus.subscribe(
      "\(source),path='\(Self.root)',interface='\(Self.manager)',member='PrepareForSleep'")
    try bus.subscribe("\(sessions),interface='\(Self.session)'")
    try bus.subscribe(
      "\(sessions),interface='\(Self.properties)',member='PropertiesChanged',"
        + "arg0='\(Self.session)'")
    // On a bus without logind nothing would ever be heard.
    _ = try bus.owner(of: Self.service)
    self.bus = bus
    self.user = user
  }

  /// Whether a session of the user says of itself that it is locked.
  var isLocked: Bool {
    ownSessions.contains { path in
      (try? bus.boolean(Self.hint, of: Self.session, at: path, service: Self.service)) ?? false
    }
  }

  func notice(in message: borrowing BusMessage) -> LoginMonitor.Notice? {
    guard let notice = content(of: message), let sender = message.sender,
      // Anybody may send a signal straight to a connection, past every rule.
      (try? bus.owner(of: Self.service)) == sender
    else { return nil }
    switch notice {
    case .locked, .unlocked:
      guard let path = message.path, ownSessions.contains(path) else { return nil }
    default: break
    }
    return notice
  }

  private func content(of message: borrowing BusMessage) -> LoginMonitor.Notice? {
    if message.isSignal("PrepareForSleep", of: Self.manager) {
      return message.readBoolean().map { $0 ? .suspending : .resumed }
    }
    if message.isSignal("Lock", of: Self.session) { return .locked }
    if message.isSignal("Unlock", of: Self.session) { return .unlocked }
    guard message.isSignal("PropertiesChanged", of: Self.properties),
      message.readText() == Self.session
    else { return nil }
    return changedHint(in: message).map { $0 ? .locked : .unlocked }
  }

  // sa{sv}as, behind the first string.
  private func changedHint(in message: borrowing BusMessage) -> Bool? {
    var hint: Bool?
    _ = message.read("a", "{sv}") {
      while case .some = message.read(
        "e", "sv",
        {
          guard message.readText() == Self.hint else { return message.skip("v") }
          hint = message.read("v", "b") { message.readBoolean() } ?? nil
        })
      {}
    }
    return hint
  }

  /// The paths of the sessions of the user (`ListSessions`, a(susso)); none where logind does not say.
  private var ownSessions: [String] {
    guard
      let answer = try? bus.call(
        "ListSessions", of: Self.manager, at: Self.root, service: Self.service)
    else { return [] }
    var paths: [String] = []
    _ = answer.read("a", "(susso)") {
      while case .some = answer.read(
        "r", "susso",
        {
          answer.skip("s")
          let owner = answer.readUnsigned()
          answer.skip("ss")
          // To its end, or the next one could not be read.
          let path = answer.readText(isPath: true)
          if owner == user, let path { paths.append(path) }
        })
      {}
    }
    return paths
  }
}
