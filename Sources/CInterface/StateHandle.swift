import CTokenVault
import Glibc
import SessionModel
import VaultReader
import VaultWatching

/// A state as C reads it: numbers, and texts that live as long as it does.
@safe final class StateHandle {
  let session: Int32
  let host: Int32
  let change: Int32
  let generation: UInt64
  let publishedAt: Int64
  let nextPublicationBy: Int64
  let expiresAt: Int64
  let expiresIn: Int64
  let sessionWord: UnsafeMutablePointer<CChar>?
  let hostWord: UnsafeMutablePointer<CChar>?
  let issuer: UnsafeMutablePointer<CChar>?
  let account: UnsafeMutablePointer<CChar>?
  let reason: UnsafeMutablePointer<CChar>?
  let nextStep: UnsafeMutablePointer<CChar>?

  init(_ state: VaultState, change: VaultChange) {
    session = Self.number(state.session)
    host = Self.number(state.host)
    self.change = Self.number(change)
    generation = state.generation ?? 0
    publishedAt = state.publishedAt?.rawValue ?? .min
    nextPublicationBy = state.nextPublicationBy?.rawValue ?? .min
    expiresAt = state.expiresAt?.rawValue ?? .min
    expiresIn = state.expiresIn.map(milliseconds) ?? .min
    unsafe sessionWord = CText.copy(state.session.word)
    unsafe hostWord = CText.copy(state.host.word)
    unsafe issuer = Self.text(state.issuer)
    unsafe account = Self.text(state.accountName)
    unsafe reason = Self.text(state.reason)
    unsafe nextStep = Self.text(state.nextStep)
  }

  deinit {
    unsafe free(sessionWord)
    unsafe free(hostWord)
    unsafe free(issuer)
    unsafe free(account)
    unsafe free(reason)
    unsafe free(nextStep)
  }

  private static func text(_ text: String?) -> UnsafeMutablePointer<CChar>? {
    guard let text else { return nil }
    return unsafe CText.copy(PrintableText.oneLine(text))
  }

  private static func number(_ session: SessionState) -> Int32 {
    let number =
      switch session {
      case .valid: TOKENVAULT_SESSION_VALID
      case .expiring: TOKENVAULT_SESSION_EXPIRING
      case .expired: TOKENVAULT_SESSION_EXPIRED
      case .expiryUnknown: TOKENVAULT_SESSION_EXPIRY_UNKNOWN
      case .signedOut: TOKENVAULT_SESSION_SIGNED_OUT
      case .reauthenticationRequired: TOKENVAULT_SESSION_REAUTHENTICATION_REQUIRED
      case .absent: TOKENVAULT_SESSION_ABSENT
      case .unsupportedRecord: TOKENVAULT_SESSION_UNSUPPORTED_RECORD
      case .keyUnavailable: TOKENVAULT_SESSION_KEY_UNAVAILABLE
      case .corrupt: TOKENVAULT_SESSION_CORRUPT
      case .unsupportedVersion: TOKENVAULT_SESSION_UNSUPPORTED_VERSION
      case .permission: TOKENVAULT_SESSION_PERMISSION
      case .storage: TOKENVAULT_SESSION_STORAGE
      }
    return Int32(number.rawValue)
  }

  private static func number(_ host: HostCondition) -> Int32 {
    let number =
      switch host {
      case .unknown: TOKENVAULT_HOST_UNKNOWN
      case .reported(.ok): TOKENVAULT_HOST_OK
      case .reported(.renewing): TOKENVAULT_HOST_RENEWING
      case .reported(.offline): TOKENVAULT_HOST_OFFLINE
      case .reported(.waiting): TOKENVAULT_HOST_WAITING
      case .reported(.storageFailed): TOKENVAULT_HOST_STORAGE_FAILED
      case .reported(.locked): TOKENVAULT_HOST_LOCKED
      case .stale: TOKENVAULT_HOST_STALE
      }
    return Int32(number.rawValue)
  }

  private static func number(_ change: VaultChange) -> Int32 {
    let number =
      switch change {
      case .current: TOKENVAULT_CHANGE_CURRENT
      case .snapshot: TOKENVAULT_CHANGE_SNAPSHOT
      case .accountChanged: TOKENVAULT_CHANGE_ACCOUNT
      case .watchMode: TOKENVAULT_CHANGE_WATCHING
      default: TOKENVAULT_CHANGE_CONDITION
      }
    return Int32(number.rawValue)
  }
}

/// A duration in whole milliseconds, rounded down.
private func milliseconds(_ duration: Duration) -> Int64 {
  let (seconds, attoseconds) = duration.components
  // A token that lives for longer than this counts as one that lives that long.
  let bounded = max(-9_000_000_000_000_000, min(9_000_000_000_000_000, seconds))
  let fraction = Double(attoseconds) / 1e15
  return bounded * 1_000 + Int64(fraction.rounded(.down))
}
