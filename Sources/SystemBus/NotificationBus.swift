package import FileSupport
import Synchronization

/// A connection to the notification server of a session bus, on a thread of its own.
///
/// Nobody waits here: what is asked for is handed to the thread, and what comes of it is told. A
/// server that hangs holds up what is asked of it after that, and nothing else. The connection lasts
/// as long as this object; pop-ups stay when it ends, as far as the server lets them.
package final class NotificationBus: Sendable {
  /// What there is to hear.
  package enum Notice: Sendable, Hashable {
    /// Which server there is, nil for none: once the bus is heard, and at each change. The name is of
    /// this very process on this very bus, so that its pop-ups can be known again.
    case server(String?)
    /// A pop-up is there, with its number at the server.
    case shown(UInt32, server: String)
    /// None could be shown: there is no server and none could be started, or it said no.
    case refused(String, server: String?)
    /// The server has not answered for a while, and is still waited for.
    case silent
    /// A pop-up is gone: by the person, in time, or by somebody's wish.
    case closed(UInt32)
    /// The bus cannot be had or is gone; the last notice.
    case unavailable(call: String, Errno)
  }

  /// How long a server may take before that is told of.
  package static let patience: Duration = .seconds(25)

  private let mailbox: NotificationMailbox

  /// The address of the person's session bus.
  ///
  /// - Parameter environment: `DBUS_SESSION_BUS_ADDRESS` and `XDG_RUNTIME_DIR`, as `sd-bus(3)` has it.
  /// - Returns: nil where nothing says that there is one.
  package static func sessionAddress(_ environment: Environment) -> String? {
    if let address = environment["DBUS_SESSION_BUS_ADDRESS"] { return address }
    guard let runtime = environment.absolutePath("XDG_RUNTIME_DIR") else { return nil }
    // D-Bus Specification, Server Addresses: every other byte is escaped.
    let path = (runtime + "/bus").utf8.map { byte in
      let scalar = UnicodeScalar(byte)
      let isPlain =
        scalar.isASCII
        && (Character(scalar).isLetter || Character(scalar).isNumber
          || "-_/.*".unicodeScalars.contains(scalar))
      return isPlain ? String(scalar) : "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16))"
    }
    return "unix:path=" + path.joined()
  }

  /// Connects, and tells of the outcome.
  ///
  /// - Parameters:
  ///   - address: the bus (`DBUS_SESSION_BUS_ADDRESS`).
  ///   - patience: how long a server may take before that is told of.
  ///   - tell: told of everything, by the thread.
  /// - Throws: the error number of the thread.
  package init(
    address: String, patience: Duration = NotificationBus.patience,
    tell: @escaping @Sendable (Notice) -> Void
  ) throws(Errno) {
    let mailbox = try NotificationMailbox()
    self.mailbox = mailbox
    try DedicatedThread.start("notifications") {
      do throws(BusError) {
        var conversation = try NotificationConversation(address: address, tell: tell)
        try conversation.run(mailbox, patience: patience)
      } catch {
        tell(.unavailable(call: error.call, error.number))
      }
    }
  }

  deinit { mailbox.put(.end) }

  /// Shows a pop-up; a server that is not there is asked of the bus first, once.
  ///
  /// One at a time: the next is asked for after this one was shown or refused.
  /// - Parameters:
  ///   - notification: what it says.
  ///   - number: the pop-up that it takes the place of; nil for none.
  package func show(_ notification: DesktopNotification, replacing number: UInt32?) {
    mailbox.put(.show(notification, replacing: number ?? 0))
  }

  /// Takes a pop-up away.
  package func close(_ number: UInt32) {
    mailbox.put(.close(number))
  }
}

/// What the thread is asked for.
final class NotificationMailbox: Sendable {
  enum Order: Sendable {
    case show(DesktopNotification, replacing: UInt32)
    case close(UInt32)
    case end
  }

  let bell: Doorbell
  private let orders = Mutex<[Order]>([])

  init() throws(Errno) {
    bell = try Doorbell()
  }

  func put(_ order: Order) {
    orders.withLock { $0.append(order) }
    bell.ring()
  }

  func take() -> [Order] {
    bell.silence()
    return orders.withLock { orders in
      defer { orders = [] }
      return orders
    }
  }
}
