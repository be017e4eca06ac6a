package import FileSupport
import SessionModel
import StrictJSON

/// The version of `client.authentication.k8s.io` in which kubectl wants a credential.
package enum ExecCredentialVersion: String, Sendable, CaseIterable {
  /// What kubectl 1.22 and later prefer.
  case v1
  /// What kubectl 1.11 and later know.
  case v1beta1

  /// Why kubectl cannot be answered.
  package enum Unsupported: Error, Sendable, Hashable, CustomStringConvertible {
    /// It names another version, or another kind of question.
    case version(String)
    /// The variable holds no question.
    case malformed

    /// One sentence with the mend.
    package var description: String {
      switch self {
      case .version(let text):
        "\(variable) asks for \(PrintableText.quoted(text)); in the kubeconfig, set apiVersion to"
          + " \(group)v1 or \(group)v1beta1"
      case .malformed: "\(variable) does not hold the ExecCredential object that kubectl puts there"
      }
    }
  }

  /// Where kubectl says what it wants; older ones leave it unset.
  package static let variable = "KUBERNETES_EXEC_INFO"
  private static let group = "client.authentication.k8s.io/"

  /// Reads what kubectl wants; v1 where it does not say.
  ///
  /// - Parameter environment: the variable.
  /// - Throws: `Unsupported`.
  package init(environment: Environment) throws(Unsupported) {
    guard let text = environment[Self.variable] else {
      self = .v1
      return
    }
    guard let question = try? JSONValue(parsing: Array(text.utf8)).object,
      let version = question["apiVersion"]?.string
    else { throw .malformed }
    guard let known = Self.allCases.first(where: { version == Self.group + $0.rawValue }) else {
      throw .version(version)
    }
    self = known
  }

  /// The credential as JSON.
  ///
  /// - Parameter session: the session, whose token kubectl uses until it ends.
  /// - Returns: One object on one line.
  func answer(_ session: StoredSessionV1) -> String {
    var status: JSONObject = ["token": .string(session.accessToken)]
    status["expirationTimestamp"] = session.expiresAt?.rfc3339.map { .string($0) }
    let object: JSONObject = [
      "apiVersion": .string(Self.group + rawValue), "kind": .string("ExecCredential"),
      "status": .object(status),
    ]
    return String(decoding: object.encoded(), as: UTF8.self)
  }
}
