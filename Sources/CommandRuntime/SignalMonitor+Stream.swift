#if Tasks
  package import FileSupport

  extension SignalMonitor {
    /// The signals from now on, taken by a thread of their own until the stream's consumer is gone.
    ///
    /// - Returns: A stream for one consumer; a program asks for one only.
    /// - Throws: The error number of the thread.
    package func signals() throws(Errno) -> AsyncStream<ProcessSignal> {
      let (stream, continuation) = AsyncStream.makeStream(
        of: ProcessSignal.self, bufferingPolicy: .bufferingNewest(16))
      let bell = try Doorbell()
      continuation.onTermination = { _ in bell.ring() }
      try DedicatedThread.start("signals") { [self] in
        while let ready = try? waitForInput([rawDescriptor, bell.rawDescriptor], timeout: nil) {
          if ready[1].contains(.readable) { break }
          while let signal = next() { continuation.yield(signal) }
        }
        continuation.finish()
      }
      return stream
    }
  }
#endif
