package import GrantModel
import SessionModel

/// Why a client is not registered.
package enum RegistrationError: Error, Sendable, Hashable {
  /// The provider names no `registration_endpoint`.
  case notOffered
  /// The provider registers only with another initial access token, or with one at all.
  case unauthorized(hasToken: Bool)
  /// The provider refused what was asked for (RFC 7591 3.2.2), with words of its own for people.
  case refused(code: String, words: String?)
  /// A successful answer is of no use; the text names the check.
  case unusable(String)
  /// The provider's metadata or what was given does not allow it; the text says why.
  case configuration(String)
  /// It may succeed later.
  case transient(TransientCause)

  /// The error for an exchange without a usable answer.
  init(_ failure: ExchangeFailure, words: String?, hasToken: Bool) {
    self =
      switch failure {
      case .refused(status: 401), .refused(status: 403), .oauth(_, status: 401, _),
        .oauth(_, status: 403, _), .oauth(.invalidToken, _, _):
        .unauthorized(hasToken: hasToken)
      case .oauth(let error, status: 200..<429, _):
        .refused(code: error.code, words: words)
      case .refused(status: 404), .refused(status: 405): .notOffered
      case .unreadable(let what): .unusable(what)
      case .invalid(let check): .unusable(check)
      case .configuration(let why): .configuration(why)
      default: .transient(failure.transientCause.0)
      }
  }
}

extension RegistrationError: CustomStringConvertible {
  /// One sentence with what to do next, and no secret.
  package var description: String {
    switch self {
    case .notOffered:
      "the provider offers no registration (its metadata has no registration_endpoint);"
        + " make the client on its own pages and copy the identifier"
    case .unauthorized(hasToken: false):
      "the provider registers only with an initial access token; get one there and name it with"
        + " --token-file"
    case .unauthorized(hasToken: true):
      "the provider does not take the initial access token; it may have ended or been used, or lack"
        + " the right to register"
    case .refused(let code, let words):
      Self.refusal(code)
        + (words.map { "; it says: \(PrintableText.quoted($0, limit: 200))" } ?? "")
    case .unusable(let check):
      "the provider's answer failed a check, and nothing of it was kept: \(check)"
    case .configuration(let why): why
    case .transient(.lostAnswer(let what)):
      "the provider's answer was lost, and it may have registered a client that nobody knows:"
        + " \(what)"
    case .transient(let cause): cause.description
    }
  }

  private static func refusal(_ code: String) -> String {
    switch code {
    case "invalid_redirect_uri":
      "the provider does not allow a redirect that was asked for (\(code)); name another with"
        + " --redirect"
    case "invalid_client_metadata":
      "the provider does not allow something that was asked for (\(code)); try another"
        + " --authentication, --scope or --redirect"
    case "invalid_software_statement", "unapproved_software_statement":
      "the provider registers only programs that it has approved (\(code)), and this is none"
    default: "the provider answered with the error \(code)"
    }
  }
}
