package import FileSupport
import Glibc

/// Sockets that the service manager listened on before it started the program (sd_listen_fds(3)).
package enum SocketActivation {
  /// The number of the first descriptor that is handed over (`SD_LISTEN_FDS_START`).
  package static let firstDescriptor: Int32 = 3

  private static let variables = ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"]

  /// How many descriptors were handed over to this process.
  ///
  /// - Parameters:
  ///   - environment: `LISTEN_PID` and `LISTEN_FDS`.
  ///   - process: This process; descriptors that were meant for another are none of its business.
  /// - Returns: The number, 0 where the variables do not agree or make no sense.
  package static func count(environment: Environment, process: Int32 = getpid()) -> Int {
    guard environment["LISTEN_PID"] == String(process),
      let count = environment["LISTEN_FDS"].flatMap({ Int($0) }), (1...1024).contains(count)
    else { return 0 }
    return count
  }

  /// The first of the descriptors that is a listening stream socket in the file system.
  ///
  /// - Parameters:
  ///   - environment: `LISTEN_PID` and `LISTEN_FDS`.
  ///   - process: This process.
  /// - Returns: The socket, which stays open; nil where none was handed over.
  package static func listener(
    environment: Environment, process: Int32 = getpid()
  ) -> ActivatedSocket? {
    let count = count(environment: environment, process: process)
    let descriptors = firstDescriptor..<firstDescriptor + Int32(count)
    return descriptors.lazy.compactMap { ActivatedSocket(descriptor: $0) }.first
  }

  /// Takes the variables out of the process, so that no child believes they were meant for it.
  ///
  /// To be called before threads start.
  package static func unsetEnvironment() {
    for name in variables { unsafe _ = unsetenv(name) }
  }
}
