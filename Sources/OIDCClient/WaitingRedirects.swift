import BrowserFlow
import Synchronization

/// The listeners that wait for a browser, so that an address can be brought to them by hand.
final class WaitingRedirects: Sendable {
  private let listeners = Mutex<[LoopbackRedirectListener]>([])

  /// Waits for a listener's response; meanwhile it can be reached from here.
  func during<Result>(
    _ listener: LoopbackRedirectListener, _ body: () async -> Result
  ) async -> Result {
    listeners.withLock { $0.append(listener) }
    let result = await body()
    listeners.withLock { $0.removeAll { $0 === listener } }
    return result
  }

  /// Brings an address to whichever listener it belongs to.
  ///
  /// - Returns: whether one waited.
  /// - Throws: `RedirectDeliveryError` of the listener that the address is most like one of.
  func deliver(_ address: String) throws(RedirectDeliveryError) -> Bool {
    var failure: RedirectDeliveryError?
    for listener in listeners.withLock({ $0 }) {
      do throws(RedirectDeliveryError) {
        try listener.deliver(url: address)
        return true
      } catch {
        if failure == nil || failure == .notTheRedirect { failure = error }
      }
    }
    if let failure { throw failure }
    return false
  }
}
