#if Tasks
  package import FileSupport

  /// Tells when the network may have come back: an address or a route was added (`rtnetlink(7)`).
  package enum NetworkMonitor {
    /// The events from now on, taken by a thread of their own until the stream's consumer is gone.
    ///
    /// A connection comes up in many steps: it is told once nothing has happened for a second, or
    /// after five.
    /// - Returns: A stream for one consumer; it ends where the kernel tells nothing more.
    /// - Throws: The error number of the socket or the thread.
    package static func returns() throws(Errno) -> AsyncStream<Void> {
      let (stream, continuation) = AsyncStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let socket = try RouteSocket()
      let bell = try Doorbell()
      continuation.onTermination = { _ in bell.ring() }
      try DedicatedThread.start("network") {
        var debounce = Debounce(quiet: .seconds(1), limit: .seconds(5))
        while true {
          let rest = debounce.rest(now: bootClockNanoseconds())
          guard
            let ready = try? waitForInput(
              [socket.rawDescriptor, bell.rawDescriptor], timeout: rest),
            ready[1].isEmpty, let hasGained = try? socket.hasGained()
          else { break }
          let now = bootClockNanoseconds()
          if hasGained { debounce.note(now: now) }
          if debounce.take(now: now) { continuation.yield() }
        }
        continuation.finish()
      }
      return stream
    }
  }
#endif
