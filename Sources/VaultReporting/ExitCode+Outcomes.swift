package import CommandRuntime
package import FileSupport
package import HostControl
import SessionModel
package import VaultReader

extension ExitCode {
  /// The code for a token that is not handed out.
  ///
  /// - Parameter error: why not, and what the host says.
  package init(_ error: AccessTokenError) {
    self =
      switch error.reason {
      case .invalidNamespace: .usage
      case .absent: .absent
      case .signedOut: .signedOut
      case .reauthenticationRequired: .reauthenticationRequired
      case .expired, .tooShort: ExitCode(unusableToken: error.state.host)
      case .expiryUnknown: .expired
      case .unsupportedRecord, .corrupt, .unsupportedVersion: .corrupt
      case .keyUnavailable, .permission: .permission
      case .storage: .storage
      }
  }

  private init(unusableToken host: HostCondition) {
    self =
      switch host {
      case .reported(.offline), .reported(.waiting), .reported(.renewing): .temporary
      case .reported(.storageFailed): .storage
      case .reported(.locked): .permission
      case .reported(.ok), .stale, .unknown: .expired
      }
  }

  /// The code for what the host could not do.
  ///
  /// - Parameter reason: the host's reason.
  package init(_ reason: ControlFailureReason) {
    self =
      switch reason {
      case .accessDenied, .verificationFailed, .responseMismatch, .locked: .permission
      case .loginInProgress, .offline, .waiting, .rateLimited, .justRenewed, .stopping: .temporary
      // What the provider refuses, and an address that another program has, is changed in a
      // configuration, here or there.
      case .unknownNamespace, .configuration, .flowUnsupported, .providerError,
        .redirectUnavailable:
        .configuration
      case .notSignedIn: .signedOut
      // A sign-in that came to nothing: no later one comes by itself.
      case .reauthenticationRequired, .cancelled, .expired: .reauthenticationRequired
      case .storage: .storage
      case .badRequest: .usage
      case .hostUnreachable: .hostUnreachable
      }
  }

  /// The code for a host that could not be talked with.
  ///
  /// - Parameter error: why not.
  package init(_ error: ControlError) {
    switch error {
    case .file(let cause): self.init(cause)
    case .otherUser: self = .permission
    case .unreachable, .connection, .closed, .timedOut, .malformed, .interrupted:
      self = .hostUnreachable
    }
  }

  /// The code for a file or directory that could not be used.
  ///
  /// - Parameter error: why not.
  package init(_ error: FileError) {
    self =
      switch error.nature {
      case .denied: .permission
      case .damaged: .corrupt
      case .failed: .storage
      }
  }
}
