import CSystemd
import FileSupport

/// A method call in the making; arguments are appended in the order of its signature.
@safe struct BusRequest: ~Copyable {
  let message: OpaquePointer

  init(owning message: OpaquePointer) {
    unsafe self.message = message
  }

  deinit {
    unsafe _ = sd_bus_message_unref(message)
  }

  /// Appends a string without NUL (`s`).
  func append(_ text: String) throws(BusError) {
    let status = unsafe text.withCString { unsafe append("s", $0) }
    try check("sd_bus_message_append_basic", status)
  }

  /// Appends a number (`u`).
  func append(_ number: UInt32) throws(BusError) {
    let status = unsafe withUnsafePointer(to: number) { unsafe append("u", $0) }
    try check("sd_bus_message_append_basic", status)
  }

  /// Appends a number (`i`).
  func append(_ number: Int32) throws(BusError) {
    let status = unsafe withUnsafePointer(to: number) { unsafe append("i", $0) }
    try check("sd_bus_message_append_basic", status)
  }

  /// Appends a byte (`y`).
  func append(_ byte: UInt8) throws(BusError) {
    let status = unsafe withUnsafePointer(to: byte) { unsafe append("y", $0) }
    try check("sd_bus_message_append_basic", status)
  }

  /// Appends an array (`a`), an entry (`e`) or a variant (`v`) with what the closure appends.
  func append(
    _ kind: Unicode.Scalar, _ contents: String, _ body: () throws(BusError) -> Void
  ) throws(BusError) {
    let type = CChar(truncatingIfNeeded: kind.value)
    try check(
      "sd_bus_message_open_container",
      unsafe sd_bus_message_open_container(message, type, contents))
    try body()
    try check("sd_bus_message_close_container", unsafe sd_bus_message_close_container(message))
  }

  private func append(_ kind: Unicode.Scalar, _ value: UnsafeRawPointer) -> Int32 {
    unsafe sd_bus_message_append_basic(message, CChar(truncatingIfNeeded: kind.value), value)
  }
}
