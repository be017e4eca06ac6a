internal import Glibc

/// Why a loopback server could not start.
package enum LoopbackServerError: Error, Equatable, Sendable {
  /// The port is taken by another program.
  case portInUse(origin: String)

  /// A system call failed.
  case system(call: String, errno: Int32, origin: String)

  /// libmicrohttpd did not start (MHD_start_daemon returned NULL).
  case daemon(origin: String)
}

extension LoopbackServerError: CustomStringConvertible {
  /// One sentence with the mend.
  package var description: String {
    switch self {
    case .portInUse(let origin):
      "\(origin) is in use by another program: end that program, or use another port"
    case .system(let call, let code, let origin):
      "cannot listen on \(origin): \(call): \(unsafe String(cString: strerror(code)))"
    case .daemon(let origin):
      "cannot listen on \(origin): libmicrohttpd did not start (out of memory or threads)"
    }
  }
}
