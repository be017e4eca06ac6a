import CSystemd
import FileSupport

/// A call of `sd-bus(3)` that failed.
struct BusError: Error {
  /// Its name.
  let call: String
  /// Why.
  let number: Errno
}

/// A connection to a message bus (`sd-bus(3)`), for the thread that made it.
@safe struct BusConnection: ~Copyable {
  /// How long the bus or a service may take for an answer.
  private static let patience: UInt64 = 5_000_000
  private let bus: OpaquePointer?

  /// Connects.
  ///
  /// - Parameter address: the bus; nil for the system's usual one.
  /// - Throws: `BusError`.
  init(address: String?) throws(BusError) {
    unsafe bus = try unsafe Self.open(address)
  }

  private static func open(_ address: String?) throws(BusError) -> OpaquePointer? {
    var opened: OpaquePointer?
    do throws(BusError) {
      if let address {
        try check("sd_bus_new", unsafe sd_bus_new(&opened))
        try check("sd_bus_set_address", unsafe sd_bus_set_address(opened, address))
        try check("sd_bus_set_bus_client", unsafe sd_bus_set_bus_client(opened, 1))
        try check("sd_bus_start", unsafe sd_bus_start(opened))
      } else {
        try check("sd_bus_open_system", unsafe sd_bus_open_system(&opened))
      }
      try check(
        "sd_bus_set_method_call_timeout",
        unsafe sd_bus_set_method_call_timeout(opened, patience))
    } catch {
      unsafe _ = sd_bus_close_unref(opened)
      throw error
    }
    return unsafe opened
  }

  deinit {
    unsafe _ = sd_bus_close_unref(bus)
  }

  /// Asks the bus for the signals of a rule.
  func subscribe(_ rule: String) throws(BusError) {
    try check("sd_bus_add_match", unsafe csystemd_match(bus, rule))
  }

  /// The connection that has a well-known name now.
  ///
  /// - Returns: its unique name; nothing is started for it.
  /// - Throws: `BusError`, of `ENXIO` where nobody has the name.
  func owner(of name: String) throws(BusError) -> String {
    var credentials: OpaquePointer?
    defer { unsafe _ = sd_bus_creds_unref(credentials) }
    let call = "sd_bus_get_name_creds"
    try check(
      call,
      unsafe sd_bus_get_name_creds(bus, name, UInt64(SD_BUS_CREDS_UNIQUE_NAME), &credentials))
    var unique: UnsafePointer<CChar>?
    try check(
      "sd_bus_creds_get_unique_name", unsafe sd_bus_creds_get_unique_name(credentials, &unique))
    guard let unique = unsafe unique else { throw BusError(call: call, number: .noName) }
    return unsafe String(cString: unique)
  }

  /// Calls a method that takes no arguments; nothing is started for it.
  func call(
    _ member: String, of interface: String, at path: String, service: String
  ) throws(BusError) -> BusMessage {
    var request: OpaquePointer?
    defer { unsafe _ = sd_bus_message_unref(request) }
    try check(
      "sd_bus_message_new_method_call",
      unsafe sd_bus_message_new_method_call(bus, &request, service, path, interface, member))
    try check("sd_bus_message_set_auto_start", unsafe sd_bus_message_set_auto_start(request, 0))
    var reply: OpaquePointer?
    try check(member, unsafe sd_bus_call(bus, request, 0, nil, &reply))
    guard let reply = unsafe reply else { throw BusError(call: member, number: .noName) }
    return unsafe BusMessage(owning: reply)
  }

  /// Reads a property that is true or false.
  func boolean(
    _ member: String, of interface: String, at path: String, service: String
  ) throws(BusError) -> Bool {
    var value: Int32 = 0
    try check(
      member,
      unsafe sd_bus_get_property_trivial(
        bus, service, path, interface, member, nil, BusMessage.boolean, &value))
    return value != 0
  }

  /// The bus itself, by the name that it was given at its start (128 bits in hexadecimal digits).
  func identifier() throws(BusError) -> String {
    var identifier = sd_id128_t()
    try check("sd_bus_get_bus_id", unsafe sd_bus_get_bus_id(bus, &identifier))
    return unsafe withUnsafeBytes(of: &identifier) { bytes in
      unsafe bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
  }

  /// Makes a method call, to be given its arguments; nothing is started for it.
  func request(
    _ member: String, of interface: String, at path: String, service: String
  ) throws(BusError) -> BusRequest {
    var request: OpaquePointer?
    try check(
      "sd_bus_message_new_method_call",
      unsafe sd_bus_message_new_method_call(bus, &request, service, path, interface, member))
    guard let request = unsafe request else { throw BusError(call: member, number: .noName) }
    let made = unsafe BusRequest(owning: request)
    try check("sd_bus_message_set_auto_start", unsafe sd_bus_message_set_auto_start(request, 0))
    return made
  }

  /// Sends a method call and waits for nothing.
  ///
  /// - Returns: its cookie, which the answer has too; a service that never answers is not noticed.
  func send(_ request: borrowing BusRequest) throws(BusError) -> UInt64 {
    var cookie: UInt64 = 0
    try check("sd_bus_send", unsafe sd_bus_send(bus, request.message, &cookie))
    return cookie
  }

  /// Waits until everything that was sent has left.
  func flush() throws(BusError) {
    try check("sd_bus_flush", unsafe sd_bus_flush(bus))
  }

  /// Waits for a message.
  ///
  /// - Parameters:
  ///   - bell: ends the wait when it is rung.
  ///   - timeout: ends the wait too; nil for none.
  /// - Returns: nil when it was rung or the time is over.
  /// - Throws: `BusError`.
  func next(until bell: Doorbell, timeout: Duration? = nil) throws(BusError) -> BusMessage? {
    while true {
      var received: OpaquePointer?
      let count = try check("sd_bus_process", unsafe sd_bus_process(bus, &received))
      if let received = unsafe received { return unsafe BusMessage(owning: received) }
      guard count == 0 else { continue }
      let events = try check("sd_bus_get_events", unsafe sd_bus_get_events(bus))
      let source = PollSource(
        unsafe sd_bus_get_fd(bus), for: Readiness(rawValue: Int16(truncatingIfNeeded: events)))
      do throws(Errno) {
        let ready = try waitUntilReady([source, PollSource(bell.rawDescriptor)], timeout: timeout)
        if !ready[1].isEmpty || (timeout != nil && ready[0].isEmpty) { return nil }
      } catch {
        throw BusError(call: "poll", number: error)
      }
    }
  }
}

/// A message of a bus, read from its beginning to its end.
@safe struct BusMessage: ~Copyable {
  fileprivate static let boolean = CChar(UInt8(ascii: "b"))
  private let message: OpaquePointer

  fileprivate init(owning message: OpaquePointer) {
    unsafe self.message = message
  }

  deinit {
    unsafe _ = sd_bus_message_unref(message)
  }

  /// The connection that sent it, by its unique name, which nobody can choose.
  var sender: String? {
    unsafe sd_bus_message_get_sender(message).map { unsafe String(cString: $0) }
  }
  /// The object that it is from.
  var path: String? {
    unsafe sd_bus_message_get_path(message).map { unsafe String(cString: $0) }
  }

  /// The cookie of the method call that it answers; nil where it is no answer.
  var replyCookie: UInt64? {
    var cookie: UInt64 = 0
    return unsafe sd_bus_message_get_reply_cookie(message, &cookie) >= 0 ? cookie : nil
  }
  /// The name of the error that it answers with; nil where it is none.
  var errorName: String? {
    guard let error = unsafe sd_bus_message_get_error(message) else { return nil }
    return unsafe error.pointee.name.map { unsafe String(cString: $0) }
  }

  /// Whether it is a certain signal.
  func isSignal(_ member: String, of interface: String) -> Bool {
    unsafe sd_bus_message_is_signal(message, interface, member) > 0
  }

  /// Reads true or false; nil for anything else.
  func readBoolean() -> Bool? {
    var value: Int32 = 0
    return unsafe csystemd_read_boolean(message, &value) > 0 ? value != 0 : nil
  }

  /// Reads a number; nil for anything else.
  func readUnsigned() -> UInt32? {
    var value: UInt32 = 0
    return unsafe csystemd_read_unsigned(message, &value) > 0 ? value : nil
  }

  /// Reads a string, or the path of an object; nil for anything else.
  func readText(isPath: Bool = false) -> String? {
    let type = CChar(UInt8(ascii: isPath ? "o" : "s"))
    var text: UnsafePointer<CChar>?
    guard unsafe csystemd_read_text(message, type, &text) > 0 else { return nil }
    return unsafe text.map { unsafe String(cString: $0) }
  }

  /// Goes into an array (`a`), a structure (`r`), an entry (`e`) or a variant (`v`), reads there and
  /// comes out of it.
  ///
  /// - Returns: what was read; nil where there is none of that kind.
  func read<Value>(_ kind: Unicode.Scalar, _ contents: String, _ body: () -> Value) -> Value? {
    let type = CChar(truncatingIfNeeded: kind.value)
    guard unsafe sd_bus_message_enter_container(message, type, contents) > 0 else { return nil }
    defer { unsafe _ = sd_bus_message_exit_container(message) }
    return body()
  }

  /// Passes over values of some types.
  func skip(_ types: String) {
    unsafe _ = sd_bus_message_skip(message, types)
  }
}

extension Errno {
  /// Nobody has the name (`ENXIO`), as sd-bus says it.
  static let noName = Errno(rawValue: 6)
}

// sd-bus returns minus the error number.
@discardableResult
func check(_ call: String, _ status: Int32) throws(BusError) -> Int32 {
  guard status >= 0 else { throw BusError(call: call, number: Errno(rawValue: -status)) }
  return status
}
