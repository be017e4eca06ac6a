import Synchronization

/// The run of one target by a fuzzer, whose callback has no room for a context.
package enum FuzzRun {
  private static let target = Mutex<FuzzTarget?>(nil)

  /// Chooses the target.
  package static func begin(_ target: FuzzTarget) {
    Self.target.withLock { $0 = target }
  }

  /// Gives an input to the target; a finding ends the process, which is what a fuzzer looks for.
  package static func digest(_ input: [UInt8]) {
    do {
      try target.withLock { $0 }?.digest(input)
    } catch {
      fatalError("finding: \(error)")
    }
  }
}
