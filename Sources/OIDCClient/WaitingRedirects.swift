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
  /// - Throws: `RedirectDeliveryError`; the text of the last listener that refused it.
  func deliver(_ address: String) throws(RedirectDeliveryError) {
    var failure = RedirectDeliveryError.notThisSignIn
    for listener in listeners.withLock({ $0 }) {
      do throws(RedirectDeliveryError) {
        return try listener.deliver(url: address)
      } catch {
        failure = error
      }
    }
    throw failure
  }
}
