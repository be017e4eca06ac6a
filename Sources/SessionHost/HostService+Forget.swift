import FileSupport
import HostControl
import SecureStore
package import SessionModel

extension HostService {
  /// Erases everything that this machine knows of a namespace, configured or not, readable or not.
  ///
  /// - Parameter namespace: the namespace.
  /// - Returns: how it ended.
  package func forget(_ namespace: Namespace) async -> ForgetReport {
    // What a session of before still stores must not come back.
    _ = await locking?.value
    var isKnown = setups[namespace] != nil
    var isRevoked = true
    if let session = sessions[namespace] {
      switch await session.forget() {
      case .failed(let reason, let message): return .failed(reason, message)
      case .forgotten(let answer): isRevoked = answer
      }
    }
    do {
      // Hidden first, as by a sign-out.
      if try runtime.removeSnapshots(of: namespace) { isKnown = true }
    } catch {
      return .failed(.storage, "the snapshot cannot be removed: \(error)")
    }
    if sessions[namespace] == nil {
      do {
        // What is there cannot be read, or belongs to nobody: nobody can revoke it.
        guard try EncryptedStore.forget(namespace, in: home.storeDirectory()) else {
          guard isKnown else { return .failed(.unknownNamespace, Self.unknown(namespace)) }
          log(.info, "\(namespace): forgotten")
          return .forgotten(isRevoked: true)
        }
        isRevoked = false
      } catch {
        return .failed(.storage, error.description)
      }
      await revive(namespace)
      log(.info, "\(namespace): forgotten")
    }
    return .forgotten(isRevoked: isRevoked)
  }

  private static func unknown(_ namespace: Namespace) -> String {
    "nothing is known of \(namespace): it is neither configured, stored nor published"
  }
}
