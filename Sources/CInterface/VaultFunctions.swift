import CTokenVault
import Glibc
import SessionModel
import VaultReader

// tokenvault.h says what each function does; the compiler compares each with its declaration there.

/// Opens an access group.
@c @implementation
package func tokenvault_open(
  _ accessGroup: UnsafePointer<CChar>?, _ vault: UnsafeMutablePointer<OpaquePointer?>?
) -> CInt {
  guard let vault = unsafe vault else { return status(TOKENVAULT_INVALID_ARGUMENT) }
  unsafe vault.pointee = nil
  guard let name = unsafe CText.name(accessGroup, default: AccessGroup.default.name),
    let opened = try? TokenVault(accessGroup: name)
  else { return status(TOKENVAULT_INVALID_ARGUMENT) }
  unsafe vault.pointee = handle(opened)
  return status(TOKENVAULT_OK)
}

/// Closes a vault.
@c @implementation
package func tokenvault_close(_ vault: OpaquePointer?) {
  unsafe release(vault, as: TokenVault.self)
}

/// Reads an access token that is good for a while.
@c @implementation
package func tokenvault_token(
  _ vault: OpaquePointer?, _ namespace: UnsafePointer<CChar>?, _ validity: Int64,
  _ token: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?,
  _ message: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
) -> CInt {
  unsafe token?.pointee = nil
  unsafe message?.pointee = nil
  guard let vault = unsafe object(vault, as: TokenVault.self), let token = unsafe token,
    let name = unsafe CText.name(namespace, default: Namespace.primary.name),
    validity >= TOKENVAULT_MARGIN
  else {
    unsafe message?.pointee = CText.copy("\(sentence(of: TOKENVAULT_INVALID_ARGUMENT))")
    return status(TOKENVAULT_INVALID_ARGUMENT)
  }
  do {
    let text = try vault.accessToken(
      namespace: name, validFor: validity < 0 ? nil : .milliseconds(validity))
    guard let copy = unsafe CText.copy(text) else {
      // No token of a provider has a NUL byte in it, and C would see a part of this one.
      unsafe message?.pointee = CText.copy("the access token of \(name) is no text")
      return status(TOKENVAULT_CORRUPT)
    }
    unsafe token.pointee = copy
    return status(TOKENVAULT_OK)
  } catch {
    unsafe message?.pointee = CText.copy(PrintableText.oneLine(error.description))
    return status(error.reason)
  }
}

/// Overwrites a text and frees it.
@c @implementation
package func tokenvault_free(_ text: UnsafeMutablePointer<CChar>?) {
  unsafe CText.erase(text)
}

/// Says what a status means.
@c @implementation
package func tokenvault_strerror(_ number: CInt) -> UnsafePointer<CChar>? {
  let text = sentence(of: tokenvault_status(rawValue: UInt32(bitPattern: number)))
  return unsafe UnsafeRawPointer(text.utf8Start).assumingMemoryBound(to: CChar.self)
}

private func sentence(of status: tokenvault_status) -> StaticString {
  switch status {
  case TOKENVAULT_OK: "success"
  case TOKENVAULT_INVALID_ARGUMENT: "a name breaks the rule, or a pointer is missing"
  case TOKENVAULT_ABSENT: "no snapshot is published"
  case TOKENVAULT_SIGNED_OUT: "the person signed out"
  case TOKENVAULT_REAUTHENTICATION_REQUIRED: "a person has to sign in again"
  case TOKENVAULT_EXPIRED: "the access token has ended"
  case TOKENVAULT_TOO_SHORT: "the access token is good for less than was asked for"
  case TOKENVAULT_EXPIRY_UNKNOWN: "the provider did not say when the access token ends"
  case TOKENVAULT_UNSUPPORTED_RECORD: "the snapshot is of a kind that this version does not know"
  case TOKENVAULT_KEY_UNAVAILABLE: "the access group's key is missing or does not fit"
  case TOKENVAULT_CORRUPT: "the snapshot is damaged"
  case TOKENVAULT_UNSUPPORTED_VERSION: "the snapshot has a version that this one does not know"
  case TOKENVAULT_PERMISSION: "an owner or mode must not be trusted"
  case TOKENVAULT_STORAGE: "a system call failed"
  case TOKENVAULT_NO_DESCRIPTOR: "no descriptor is left to watch with"
  case TOKENVAULT_TIMEOUT: "nothing is new, and the time is over"
  default: "this version does not know the status"
  }
}

private func status(_ reason: AccessTokenError.Reason) -> CInt {
  let number =
    switch reason {
    case .invalidNamespace: TOKENVAULT_INVALID_ARGUMENT
    case .absent: TOKENVAULT_ABSENT
    case .signedOut: TOKENVAULT_SIGNED_OUT
    case .reauthenticationRequired: TOKENVAULT_REAUTHENTICATION_REQUIRED
    case .expired: TOKENVAULT_EXPIRED
    case .tooShort: TOKENVAULT_TOO_SHORT
    case .expiryUnknown: TOKENVAULT_EXPIRY_UNKNOWN
    case .unsupportedRecord: TOKENVAULT_UNSUPPORTED_RECORD
    case .keyUnavailable: TOKENVAULT_KEY_UNAVAILABLE
    case .corrupt: TOKENVAULT_CORRUPT
    case .unsupportedVersion: TOKENVAULT_UNSUPPORTED_VERSION
    case .permission: TOKENVAULT_PERMISSION
    case .storage: TOKENVAULT_STORAGE
    }
  return status(number)
}
