import FileSupport
import Synchronization

/// Wakes whoever waits for updates, without a system call while he is about to look for them anyway.
final class UpdateBell: Sendable {
  private let doorbell: Doorbell
  private let isAttended = Atomic(false)
  private let isRung = Atomic(false)

  /// Makes a bell.
  ///
  /// - Throws: the error number.
  init() throws(Errno) { doorbell = try Doorbell() }

  /// The descriptor's number, readable once the bell was rung.
  var rawDescriptor: Int32 { doorbell.rawDescriptor }

  /// Does what may ring the bell; the caller has to look for updates afterwards.
  func attend(_ body: () -> Void) {
    isAttended.store(true, ordering: .sequentiallyConsistent)
    body()
    isAttended.store(false, ordering: .sequentiallyConsistent)
  }

  /// Rings, unless somebody attends to what there is to hear.
  func ring() {
    guard !isAttended.load(ordering: .sequentiallyConsistent) else { return }
    doorbell.ring()
    // Not before: an answer in between would leave the descriptor readable for good.
    isRung.store(true, ordering: .sequentiallyConsistent)
  }

  /// Answers: the descriptor is not readable any more until the next ring.
  func silence() {
    guard isRung.exchange(false, ordering: .sequentiallyConsistent) else { return }
    doorbell.silence()
  }
}
