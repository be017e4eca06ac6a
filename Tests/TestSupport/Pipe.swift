internal import Glibc
internal import Synchronization

/// The two ends of a pipe, both close-on-exec and owned by whoever made it.
struct Pipe {
  let reading: Int32
  let writing: Int32

  private init() throws(SystemCallError) {
    var ends: [Int32] = [-1, -1]
    guard unsafe pipe(&ends) == 0 else { throw SystemCallError("pipe", "a new pipe") }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    reading = ends[0]
    writing = ends[1]
  }

  /// Held from making a pipe until it is close-on-exec, and by whoever spawns a program.
  ///
  /// pipe2(2) is not in the Glibc module; without it another program could inherit an end, and
  /// then the end of an input would never be seen.
  static let spawning = Mutex(())

  /// Makes `count` pipes.
  static func make(_ count: Int) throws(SystemCallError) -> [Pipe] {
    let made = spawning.withLock { _ in
      Result { () throws(SystemCallError) in
        var pipes: [Pipe] = []
        for _ in 0..<count { pipes.append(try Pipe()) }
        return pipes
      }
    }
    return try made.get()
  }

  /// Makes reads and writes at one end return at once.
  static func makeNonblocking(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
  }
}
