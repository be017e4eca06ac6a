package import CommandRuntime
package import HostControl
package import VaultReader

extension CommandFailure {
  /// The failure for a token that is not handed out.
  package init(_ error: AccessTokenError) {
    self.init(error.description, ExitCode(error))
  }

  /// The failure of a question to the host, which changes nothing.
  ///
  /// - Parameter error: why there is no answer.
  package init(_ error: ControlError) {
    self.init(error.description, ExitCode(error))
  }

  /// The failure of a host that could not be asked: the request never was on its way.
  ///
  /// - Parameters:
  ///   - error: why the host could not be talked with.
  ///   - consequence: what that means for the person, which is certain.
  package init(unasked error: ControlError, _ consequence: String) {
    // What could be done without the host is that user's to do, too.
    if case .otherUser = error {
      self.init(error)
    } else {
      self.init("\(error); \(consequence)", ExitCode(error))
    }
  }

  /// The failure of a host that was asked and did not answer: it may have done it all the same.
  ///
  /// - Parameter error: why there is no answer.
  package init(unanswered error: ControlError) {
    self.init(
      "\(error); whether it did what was asked is not known; run: tokenvault status",
      ExitCode(error))
  }

  /// The failure that the host reports.
  ///
  /// - Parameters:
  ///   - reason: the host's reason.
  ///   - message: the host's sentence.
  package init(_ reason: ControlFailureReason, message: String) {
    // Some sentences are about the host itself.
    let isAboutHost = message.hasPrefix("the host ")
    self.init(isAboutHost ? message : "the host: \(message)", ExitCode(reason))
  }
}
