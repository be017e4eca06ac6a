import FileSupport

/// What is said between the host and a notification server, by the thread that has the connection.
struct NotificationConversation: ~Copyable {
  private static let service = "org.freedesktop.Notifications"
  private static let path = "/org/freedesktop/Notifications"
  private static let driver = "org.freedesktop.DBus"
  private static let driverPath = "/org/freedesktop/DBus"

  /// The answer that is waited for, to show one pop-up.
  private enum Awaited {
    case start, capabilities, number
  }

  private let bus: BusConnection
  private let name: String
  private let tell: (NotificationBus.Notice) -> Void
  /// The connection of the server, by its unique name.
  private var owner: String?
  private var wanted: (notification: DesktopNotification, replacing: UInt32)?
  private var awaited: (answer: Awaited, cookie: UInt64, of: String?)?
  /// When its absence is told of; nil once it was.
  private var patientUntil: ContinuousClock.Instant?

  init(
    address: String, tell: @escaping (NotificationBus.Notice) -> Void
  ) throws(BusError) {
    let bus = try BusConnection(address: address)
    try bus.subscribe(
      "type='signal',sender='\(Self.driver)',member='NameOwnerChanged',arg0='\(Self.service)'")
    // Not ActionInvoked: a pop-up of the host has no buttons.
    try bus.subscribe(
      "type='signal',sender='\(Self.service)',path='\(Self.path)',interface='\(Self.service)',"
        + "member='NotificationClosed'")
    name = try bus.identifier()
    owner = try? bus.owner(of: Self.service)
    self.bus = bus
    self.tell = tell
  }

  /// Carries orders out until the last one.
  mutating func run(_ mailbox: NotificationMailbox, patience: Duration) throws(BusError) {
    tell(.server(identity(of: owner)))
    while true {
      for order in mailbox.take() {
        switch order {
        case .show(let notification, let number):
          wanted = (notification, number)
          patientUntil = .now + patience
          try owner == nil ? start() : askCapabilities()
        case .close(let number): try close(number)
        case .end: return try bus.flush()
        }
      }
      let wait = patientUntil.map { ContinuousClock.now.duration(to: $0) }
      let message = try bus.next(until: mailbox.bell, timeout: wait)
      if let message = consume message { try hear(message) }
      if let patientUntil, patientUntil <= .now {
        self.patientUntil = nil
        tell(.silent)
      }
    }
  }

  private mutating func hear(_ message: borrowing BusMessage) throws(BusError) {
    if let awaited, message.replyCookie == awaited.cookie,
      [awaited.of, Self.driver].contains(message.sender)
    {
      self.awaited = nil
      return try proceed(from: awaited.answer, of: awaited.of, by: message)
    }
    if message.isSignal("NameOwnerChanged", of: Self.driver), message.sender == Self.driver {
      guard message.readText() == Self.service else { return }
      message.skip("s")
      let next = message.readText().flatMap { $0.isEmpty ? nil : $0 }
      guard next != owner else { return }
      owner = next
      tell(.server(identity(of: next)))
    }
    // Anybody may send a signal straight to a connection, past every rule.
    if message.isSignal("NotificationClosed", of: Self.service), message.sender == owner,
      let number = message.readUnsigned()
    {
      tell(.closed(number))
    }
  }

  private mutating func proceed(
    from answer: Awaited, of server: String?, by message: borrowing BusMessage
  ) throws(BusError) {
    if let error = message.errorName { return refuse(error, server) }
    switch answer {
    case .start:
      if owner == nil { owner = try? bus.owner(of: Self.service) }
      guard owner != nil else { return refuse("the server has gone again", nil) }
      try askCapabilities()
    case .capabilities: try notify(server, hasMarkup: Self.hasMarkup(message))
    case .number:
      (wanted, patientUntil) = (nil, nil)
      guard let number = message.readUnsigned(), let server = identity(of: server) else {
        return refuse("no number came", server)
      }
      tell(.shown(number, server: server))
    }
  }

  private mutating func refuse(_ why: String, _ server: String?) {
    (wanted, patientUntil) = (nil, nil)
    tell(.refused(why, server: identity(of: server)))
  }

  private func identity(of owner: String?) -> String? {
    owner.map { "\(name) \($0)" }
  }

  private static func hasMarkup(_ message: borrowing BusMessage) -> Bool {
    var found = false
    _ = message.read("a", "s") {
      while let capability = message.readText() {
        if capability == "body-markup" { found = true }
      }
    }
    return found
  }
}

// What is asked of the bus and the server. Nobody waits for an answer, so no time limit is needed: one
// that comes late tells the number of a pop-up which otherwise nobody could take away, and for a server
// that has gone the bus answers.
extension NotificationConversation {
  private mutating func start() throws(BusError) {
    let request = try bus.request(
      "StartServiceByName", of: Self.driver, at: Self.driverPath, service: Self.driver)
    try request.append(Self.service)
    try request.append(UInt32(0))
    awaited = (.start, try bus.send(request), nil)
  }

  // Each time: it is one message, and a server may be configured anew.
  private mutating func askCapabilities() throws(BusError) {
    guard let owner else { return }
    let request = try bus.request(
      "GetCapabilities", of: Self.service, at: Self.path, service: owner)
    awaited = (.capabilities, try bus.send(request), owner)
  }

  // susssasa{sv}i
  private mutating func notify(_ server: String?, hasMarkup: Bool) throws(BusError) {
    guard let server, let (notification, number) = wanted else { return }
    let request = try bus.request("Notify", of: Self.service, at: Self.path, service: server)
    try request.append("TokenVault")
    try request.append(number)
    try request.append("dialog-password")
    try request.append(notification.summary)
    try request.append(hasMarkup ? notification.markup : notification.body)
    try request.append("a", "s") {}
    try request.append("a", "{sv}") { () throws(BusError) in
      try request.append("e", "sv") { () throws(BusError) in
        try request.append("urgency")
        try request.append("v", "y") { () throws(BusError) in try request.append(UInt8(1)) }
      }
      try request.append("e", "sv") { () throws(BusError) in
        try request.append("category")
        try request.append("v", "s") { () throws(BusError) in try request.append("network") }
      }
    }
    // Until it is closed: whoever was away finds it.
    try request.append(Int32(0))
    awaited = (.number, try bus.send(request), server)
  }

  private func close(_ number: UInt32) throws(BusError) {
    guard let owner else { return }
    let request = try bus.request(
      "CloseNotification", of: Self.service, at: Self.path, service: owner)
    try request.append(number)
    _ = try bus.send(request)
  }
}
