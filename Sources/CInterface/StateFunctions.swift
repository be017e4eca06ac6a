import CTokenVault
import SessionModel
import VaultReader
import VaultWatching

// tokenvault.h says what each function does; the compiler compares each with its declaration there.

/// Reads what state a namespace is in.
@c @implementation
package func tokenvault_state_read(
  _ vault: OpaquePointer?, _ namespace: UnsafePointer<CChar>?,
  _ state: UnsafeMutablePointer<OpaquePointer?>?
) -> CInt {
  unsafe state?.pointee = nil
  guard let vault = unsafe object(vault, as: TokenVault.self), let state = unsafe state,
    let name = unsafe CText.name(namespace, default: Namespace.primary.name),
    Namespace(name) != nil
  else { return status(TOKENVAULT_INVALID_ARGUMENT) }
  unsafe state.pointee = handle(StateHandle(vault.state(namespace: name), change: .current))
  return status(TOKENVAULT_OK)
}

/// Frees a state.
@c @implementation
package func tokenvault_state_free(_ state: OpaquePointer?) {
  unsafe release(state, as: StateHandle.self)
}

/// Whether the access token may be used.
@c @implementation
package func tokenvault_state_session(_ state: OpaquePointer?) -> CInt {
  unsafe read(state)?.session ?? CInt(TOKENVAULT_SESSION_ABSENT.rawValue)
}

/// The session as a word.
@c @implementation
package func tokenvault_state_session_word(_ state: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe UnsafePointer(read(state)?.sessionWord)
}

/// What the host says of itself.
@c @implementation
package func tokenvault_state_host(_ state: OpaquePointer?) -> CInt {
  unsafe read(state)?.host ?? CInt(TOKENVAULT_HOST_UNKNOWN.rawValue)
}

/// The host as a word.
@c @implementation
package func tokenvault_state_host_word(_ state: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe UnsafePointer(read(state)?.hostWord)
}

/// What is new about the state.
@c @implementation
package func tokenvault_state_change(_ state: OpaquePointer?) -> CInt {
  unsafe read(state)?.change ?? CInt(TOKENVAULT_CHANGE_CURRENT.rawValue)
}

/// The snapshot's number.
@c @implementation
package func tokenvault_state_generation(_ state: OpaquePointer?) -> UInt64 {
  unsafe read(state)?.generation ?? 0
}

/// When the snapshot was published.
@c @implementation
package func tokenvault_state_published_at(_ state: OpaquePointer?) -> Int64 {
  unsafe read(state)?.publishedAt ?? .min
}

/// By when the host will have published again.
@c @implementation
package func tokenvault_state_next_publication_by(_ state: OpaquePointer?) -> Int64 {
  unsafe read(state)?.nextPublicationBy ?? .min
}

/// When the access token ends.
@c @implementation
package func tokenvault_state_expires_at(_ state: OpaquePointer?) -> Int64 {
  unsafe read(state)?.expiresAt ?? .min
}

/// For how long the access token was good.
@c @implementation
package func tokenvault_state_expires_in(_ state: OpaquePointer?) -> Int64 {
  unsafe read(state)?.expiresIn ?? .min
}

/// The issuer of the session.
@c @implementation
package func tokenvault_state_issuer(_ state: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe UnsafePointer(read(state)?.issuer)
}

/// The account's name.
@c @implementation
package func tokenvault_state_account(_ state: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe UnsafePointer(read(state)?.account)
}

/// Why the state is what it is.
@c @implementation
package func tokenvault_state_reason(_ state: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe UnsafePointer(read(state)?.reason)
}

/// What the person can do about it.
@c @implementation
package func tokenvault_state_next_step(_ state: OpaquePointer?) -> UnsafePointer<CChar>? {
  unsafe UnsafePointer(read(state)?.nextStep)
}

private func read(_ state: OpaquePointer?) -> StateHandle? {
  unsafe object(state, as: StateHandle.self)
}
