import CommandRuntime
import FileSupport
import HostControl
import SessionHost
import SessionModel

// What ends a session while no host is running.
extension HostProgram {
  /// Signs a namespace out.
  func signOut(_ namespace: Namespace, _ host: HostService) async -> ExitCode {
    let report = await host.signOutOnce(namespace)
    await host.stop()
    switch report {
    case nil:
      log.error("the configuration has no [namespaces.\(namespace)]")
      return .configuration
    case .failed(let reason, let message):
      log.error("\(namespace): \(message)")
      return reason == .locked ? .permission : .storage
    case .signedOut(.pending):
      log.warning("\(namespace): the provider will be told when it can be reached")
      return .temporary
    case .signedOut:
      // The session has said it.
      return .done
    }
  }

  /// Erases what is stored of a namespace.
  func forget(_ namespace: Namespace, _ host: HostService) async -> ExitCode {
    let report = await host.forget(namespace)
    await host.stop()
    switch report {
    case .failed(.unknownNamespace, let message):
      log.error(message)
      return .configuration
    case .failed(_, let message):
      log.error("\(namespace): \(message)")
      return .storage
    case .forgotten(let isRevoked):
      if !isRevoked { log.warning("\(namespace): the provider is not known to have revoked it") }
      return .done
    }
  }

  /// Erases what is stored of a namespace although the store cannot be opened.
  func forgetWithoutKey(
    _ namespace: Namespace, _ directories: VaultDirectories, _ hostLog: HostLog,
    because error: HostStartError
  ) throws(HostStartError) -> ExitCode {
    log.warning(error.description)
    guard try UnopenedState.forget(namespace, directories: directories, log: hostLog) else {
      log.error("nothing is known of \(namespace): it is neither stored nor published")
      return .configuration
    }
    log.warning("\(namespace): forgotten; the provider is not known to have revoked it")
    return .done
  }
}
