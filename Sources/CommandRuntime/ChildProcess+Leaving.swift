package import FileSupport

extension ChildProcess {
  /// Lets the program go on by itself; a thread waits for its end, so that no zombie stays.
  ///
  /// - Parameter then: Called on that thread with how it ended, nil where that is not known.
  /// - Throws: `pthread_create(3)`'s error; nobody waits then.
  package func leave(then: @escaping @Sendable (Ending?) -> Void) throws(Errno) {
    try DedicatedThread.start("child") { [self] in
      then(try? wait())
    }
  }
}
