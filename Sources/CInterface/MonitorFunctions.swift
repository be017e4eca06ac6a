import CTokenVault
import SessionModel
import VaultReader
import VaultWatching

// tokenvault.h says what each function does; the compiler compares each with its declaration there.

/// Makes a monitor of a namespace.
@c @implementation
package func tokenvault_monitor_open(
  _ vault: OpaquePointer?, _ namespace: UnsafePointer<CChar>?,
  _ monitor: UnsafeMutablePointer<OpaquePointer?>?
) -> CInt {
  unsafe monitor?.pointee = nil
  guard let vault = unsafe object(vault, as: TokenVault.self), let monitor = unsafe monitor,
    let name = unsafe CText.name(namespace, default: Namespace.primary.name),
    Namespace(name) != nil
  else { return status(TOKENVAULT_INVALID_ARGUMENT) }
  guard let made = try? VaultMonitor(vault, namespace: name) else {
    return status(TOKENVAULT_NO_DESCRIPTOR)
  }
  unsafe monitor.pointee = handle(made)
  return status(TOKENVAULT_OK)
}

/// A descriptor to poll.
@c @implementation
package func tokenvault_monitor_descriptor(_ monitor: OpaquePointer?) -> CInt {
  unsafe object(monitor, as: VaultMonitor.self)?.descriptor ?? -1
}

/// Waits for the next state.
@c @implementation
package func tokenvault_monitor_next(
  _ monitor: OpaquePointer?, _ timeout: Int64, _ state: UnsafeMutablePointer<OpaquePointer?>?
) -> CInt {
  unsafe state?.pointee = nil
  guard let monitor = unsafe object(monitor, as: VaultMonitor.self), let state = unsafe state
  else { return status(TOKENVAULT_INVALID_ARGUMENT) }
  guard let update = monitor.next(timeout: timeout < 0 ? nil : .milliseconds(timeout)) else {
    return status(TOKENVAULT_TIMEOUT)
  }
  unsafe state.pointee = handle(StateHandle(update.state, change: update.change))
  return status(TOKENVAULT_OK)
}

/// Closes a monitor.
@c @implementation
package func tokenvault_monitor_close(_ monitor: OpaquePointer?) {
  unsafe release(monitor, as: VaultMonitor.self)
}
