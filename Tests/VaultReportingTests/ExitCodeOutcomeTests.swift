import CommandRuntime
import FileSupport
import HostControl
import SessionModel
import Testing
import VaultReader
import VaultReporting

@Suite struct ExitCodeOutcomeTests {
  static let codes: [ControlFailureReason: Int32] = [
    .accessDenied: 77, .cancelled: 82, .expired: 82, .loginInProgress: 75, .unknownNamespace: 78,
    .notSignedIn: 81, .reauthenticationRequired: 82, .offline: 75, .waiting: 75, .storage: 73,
    .configuration: 78, .providerError: 78, .verificationFailed: 77, .responseMismatch: 77,
    .redirectUnavailable: 78, .flowUnsupported: 78, .rateLimited: 75, .justRenewed: 75,
    .badRequest: 64, .locked: 77, .stopping: 75, .hostUnreachable: 69,
  ]

  @Test(arguments: ControlFailureReason.allCases)
  func eachReasonOfTheHostHasItsCode(reason: ControlFailureReason) {
    #expect(ExitCode(reason).rawValue == Self.codes[reason])
  }

  @Test func aSentenceOfTheHostSaysWhoseItIsOnce() {
    let other = CommandFailure(.offline, message: "the provider cannot be reached")
    #expect(other == CommandFailure("the host: the provider cannot be reached", .temporary))
    let own = CommandFailure(.stopping, message: "the host is stopping")
    #expect(own == CommandFailure("the host is stopping", .temporary))
  }

  static let hostErrors: [(ControlError, Int32)] = [
    (.otherUser(directory: "/x", user: 12), 77), (.unreachable(path: "/x"), 69), (.closed, 69),
    (.timedOut(after: .seconds(1)), 69),
    (.malformed("x"), 69), (.connection(call: "send", Errno(rawValue: 5)), 69),
    (.file(.insecure(path: "/x", .linked)), 77),
    (.file(.system(call: "open", path: "/x", Errno(rawValue: 13))), 77),
    (.file(.system(call: "open", path: "/x", Errno(rawValue: 5))), 73),
  ]

  @Test(arguments: hostErrors)
  func aHostThatCannotBeTalkedWithHasItsCode(error: ControlError, code: Int32) {
    #expect(ExitCode(error).rawValue == code)
  }

  @Test(
    arguments: [
      (.insecure(path: "/x", .linked), 77),
      (.system(call: "open", path: "/x", Errno(rawValue: 1)), 77),
      (.system(call: "open", path: "/x", Errno(rawValue: 5)), 73),
      (.tooLarge(path: "/x", limit: 1), 65), (.locked(path: "/x"), 73),
      (.noDirectory(purpose: "runtime", reasons: []), 73),
    ] as [(FileError, Int32)])
  func aFileHasTheSameCodeWhoeverNeededIt(error: FileError, code: Int32) {
    #expect(ExitCode(error).rawValue == code)
    #expect(ExitCode(ControlError.file(error)).rawValue == code)
  }

  static let refusals: [(AccessTokenError.Reason, Int32)] = [
    (.invalidNamespace, 64), (.absent, 66), (.signedOut, 81),
    (.reauthenticationRequired(.invalidGrant), 82), (.expired, 80),
    (.tooShort(remaining: .seconds(1), required: .seconds(2)), 80), (.expiryUnknown, 80),
    (.unsupportedRecord, 65), (.corrupt, 65), (.unsupportedVersion, 65), (.keyUnavailable, 77),
    (.permission, 77), (.storage(errno: 5), 73),
  ]

  @Test(arguments: refusals)
  func eachRefusalOfATokenHasItsCode(reason: AccessTokenError.Reason, code: Int32) throws {
    let published = try PublishedVault(expiresIn: .seconds(60))
    let error = AccessTokenError(reason: reason, state: published.vault.state())
    #expect(ExitCode(error).rawValue == code)
  }
}
