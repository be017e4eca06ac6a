import CSystemd
package import FileSupport
import Glibc

/// Hears from logind when the machine goes to sleep and when it is awake again (`sd-bus(3)`).
///
/// No timer of a process notices a suspend: what was to happen meanwhile happens late, by as much as
/// was left of the wait. Whoever has no logind goes on without this.
package enum SleepMonitor {
  /// What there is to hear.
  package enum Notice: Sendable, Hashable {
    /// From now on nothing is missed.
    case listening
    /// The machine is about to sleep (`PrepareForSleep`, true).
    case suspending
    /// The machine is awake again (`PrepareForSleep`, false).
    case resumed
    /// Nothing more will be heard; the call that failed, and why.
    case unavailable(call: String, Errno)
  }

  private static let manager = "org.freedesktop.login1.Manager"
  private static let signal = "PrepareForSleep"
  private static let rule =
    "type='signal',sender='org.freedesktop.login1',path='/org/freedesktop/login1',"
    + "interface='\(manager)',member='\(signal)'"

  /// The notices from now on, read by a thread of their own until the stream's consumer is gone.
  ///
  /// - Parameter address: the bus (`DBUS_SYSTEM_BUS_ADDRESS`); nil for the system's usual one.
  /// - Returns: a stream for one consumer; it ends after `unavailable`.
  /// - Throws: the error number of the thread.
  package static func notices(address: String? = nil) throws(Errno) -> AsyncStream<Notice> {
    let (stream, continuation) = AsyncStream.makeStream(
      of: Notice.self, bufferingPolicy: .bufferingNewest(16))
    let bell = try Doorbell()
    continuation.onTermination = { _ in bell.ring() }
    try DedicatedThread.start("logind") {
      do throws(Failure) {
        try listen(on: address, until: bell) { continuation.yield($0) }
      } catch {
        continuation.yield(.unavailable(call: error.call, error.number))
      }
      continuation.finish()
    }
    return stream
  }

  private struct Failure: Error {
    let call: String
    let number: Errno
  }

  private static func listen(
    on address: String?, until bell: Doorbell, _ tell: (Notice) -> Void
  ) throws(Failure) {
    var opened: OpaquePointer?
    defer { unsafe _ = sd_bus_close_unref(opened) }
    if let address {
      try check("sd_bus_new", unsafe sd_bus_new(&opened))
      try check("sd_bus_set_address", unsafe sd_bus_set_address(opened, address))
      try check("sd_bus_set_bus_client", unsafe sd_bus_set_bus_client(opened, 1))
      try check("sd_bus_start", unsafe sd_bus_start(opened))
    } else {
      try check("sd_bus_open_system", unsafe sd_bus_open_system(&opened))
    }
    let bus = unsafe opened
    try check("sd_bus_add_match", unsafe csystemd_match(bus, rule))
    tell(.listening)
    while true {
      var received: OpaquePointer?
      let count = try check("sd_bus_process", unsafe sd_bus_process(bus, &received))
      if let message = unsafe received {
        defer { unsafe _ = sd_bus_message_unref(message) }
        if let notice = unsafe notice(in: message) { tell(notice) }
      }
      guard count == 0 else { continue }
      let events = try check("sd_bus_get_events", unsafe sd_bus_get_events(bus))
      let source = PollSource(
        unsafe sd_bus_get_fd(bus), for: Readiness(rawValue: Int16(truncatingIfNeeded: events)))
      do throws(Errno) {
        let ready = try waitUntilReady([source, PollSource(bell.rawDescriptor)], timeout: nil)
        if !ready[1].isEmpty { return }
      } catch {
        throw Failure(call: "poll", number: error)
      }
    }
  }

  private static func notice(in message: OpaquePointer) -> Notice? {
    guard unsafe sd_bus_message_is_signal(message, manager, signal) > 0 else { return nil }
    var isStarting: Int32 = 0
    guard unsafe csystemd_read_boolean(message, &isStarting) > 0 else { return nil }
    return isStarting == 0 ? .resumed : .suspending
  }

  // sd-bus returns minus the error number.
  @discardableResult
  private static func check(_ call: String, _ status: Int32) throws(Failure) -> Int32 {
    guard status >= 0 else { throw Failure(call: call, number: Errno(rawValue: -status)) }
    return status
  }
}
