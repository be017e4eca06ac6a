import SessionModel
import Synchronization

/// The present boot's identifier, read when it is first needed and again as long as it is not had.
final class PresentBoot: Sendable {
  private let clock: ReaderClock
  private let known = Mutex<BootIdentifier?>(nil)

  /// Takes what tells the identifier, which is not asked yet.
  init(clock: ReaderClock) {
    self.clock = clock
  }

  /// The identifier; nil where the system does not say it now.
  var identifier: BootIdentifier? {
    known.withLock { known in
      if known == nil { known = clock.bootIdentifier() }
      return known
    }
  }
}
