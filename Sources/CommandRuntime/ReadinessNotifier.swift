package import FileSupport
import Glibc

/// Tells the service manager how the program is: one datagram a message (sd_notify(3)).
package struct ReadinessNotifier: Sendable, Equatable {
  /// What can be told.
  package enum Message: Sendable, Equatable {
    /// The program does its work from now on.
    case ready(status: String)
    /// One line about what it does; never a secret.
    case status(String)
    /// It reads its configuration again; `ready` follows.
    case reloading
    /// It is about to end.
    case stopping
    /// It is alive, said from the loop that does the work.
    case watchdog

    var text: String {
      switch self {
      case .ready(let status): "READY=1\nSTATUS=" + Self.line(status)
      case .status(let status): "STATUS=" + Self.line(status)
      // Type=notify-reload wants the clock too; older managers ignore it.
      case .reloading: "RELOADING=1\nMONOTONIC_USEC=\(Self.monotonicMicroseconds)"
      case .stopping: "STOPPING=1"
      case .watchdog: "WATCHDOG=1"
      }
    }

    private static func line(_ text: String) -> String {
      String(text.map { $0.isNewline ? " " : $0 })
    }

    private static var monotonicMicroseconds: Int64 {
      var time = timespec()
      unsafe _ = clock_gettime(CLOCK_MONOTONIC, &time)
      return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000
    }
  }

  /// How often `watchdog` is due at least, nil when nobody waits for it (`WATCHDOG_USEC`).
  package let watchdogInterval: Duration?
  private let address: [UInt8]?

  /// Reads what the service manager wants from the environment (sd_notify(3)).
  ///
  /// - Parameters:
  ///   - environment: `NOTIFY_SOCKET`, `WATCHDOG_USEC` and `WATCHDOG_PID`.
  ///   - process: This process, whose watchdog it has to be.
  package init(environment: Environment, process: Int32 = getpid()) {
    address = environment["NOTIFY_SOCKET"].flatMap(Self.address)
    let isMeant = environment["WATCHDOG_PID"].map { $0 == String(process) } ?? true
    let limit = environment["WATCHDOG_USEC"].flatMap { Int64($0) }.flatMap { $0 > 0 ? $0 : nil }
    // Half the limit is what sd_watchdog_enabled(3) asks for.
    watchdogInterval = isMeant ? limit.map { .microseconds($0 / 2) } : nil
  }

  /// The variables by which a service manager says where and how it wants to be told.
  package static let variables = ["NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]

  /// Takes the variables out of the process, so that no child speaks for it.
  ///
  /// To be called before threads start.
  package static func unsetEnvironment() {
    for name in variables { unsafe _ = unsetenv(name) }
  }

  /// Sends a message; without a service manager nothing happens.
  ///
  /// - Parameter message: What to tell.
  /// - Throws: The error number of the socket; the program goes on without it.
  package func send(_ message: Message) throws(Errno) {
    guard let address else { return }
    let number = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw .current }
    let descriptor = FileDescriptor(owning: number)
    let text = Array(message.text.utf8)
    try retryingInterrupted {
      unsafe Self.withSocketAddress(address) { socketAddress, length in
        unsafe sendto(
          descriptor.rawValue, text, text.count, Int32(MSG_NOSIGNAL), socketAddress,
          length)
      }
    }
  }

  // A path, or '@' and a name for a socket without one, which then starts with a zero byte.
  private static func address(_ text: String) -> [UInt8]? {
    var bytes = Array(text.utf8)
    let room = MemoryLayout.size(ofValue: sockaddr_un().sun_path)
    guard (2..<room).contains(bytes.count) else { return nil }
    switch bytes[0] {
    case UInt8(ascii: "/"): return bytes
    case UInt8(ascii: "@"):
      bytes[0] = 0
      return bytes
    default: return nil
    }
  }

  private static func withSocketAddress<Result>(
    _ path: [UInt8], _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { unsafe $0.copyBytes(from: path) }
    // An abstract name is as long as the length says: no zero byte may follow it.
    let end = path[0] == 0 ? path.count : path.count + 1
    let length = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path) + end
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(length))
      }
    }
  }
}
