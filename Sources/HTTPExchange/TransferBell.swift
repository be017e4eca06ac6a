import CCurl
import Synchronization

/// The way into a running transfer from outside: rings once, ends the transfer at once.
final class TransferBell: Sendable {
  // The handle is used under the lock only, and disconnected before it is freed.
  @safe private struct State {
    var isRung = false
    var multi: UnsafeMutableRawPointer?
  }

  private let state = Mutex(State())

  /// Whether the transfer was asked to end.
  var isRung: Bool { state.withLock { $0.isRung } }

  /// Ends the transfer, running or not yet started (`curl_multi_wakeup(3)`).
  ///
  /// The handle is used under the lock, so it can't be freed meanwhile.
  func ring() {
    state.withLock { state in
      state.isRung = true
      if let multi = unsafe state.multi { unsafe curl_multi_wakeup(multi) }
    }
  }

  /// Connects the bell to a handle; nil before the handle is freed.
  func connect(_ multi: UnsafeMutableRawPointer?) {
    // The address alone crosses into the lock; the lock is what makes its use safe.
    let address = UInt(bitPattern: multi)
    state.withLock { unsafe $0.multi = UnsafeMutableRawPointer(bitPattern: address) }
  }
}
