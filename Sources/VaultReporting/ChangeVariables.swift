package import HostControl
import SessionModel

/// What the command of `watch --exec` finds in its environment.
package enum ChangeVariables {
  /// The variables of a state, all of them always; empty for what is not known.
  ///
  /// - Parameter status: the state.
  /// - Returns: names and values; no value holds a control character.
  package static func of(_ status: NamespaceStatus) -> [(name: String, value: String)] {
    [
      ("TOKENVAULT_NAMESPACE", status.namespace.name), ("TOKENVAULT_GROUP", status.group.name),
      ("TOKENVAULT_SESSION", status.session), ("TOKENVAULT_HOST", status.host),
      ("TOKENVAULT_GENERATION", status.generation.map { "\($0)" }),
      ("TOKENVAULT_EXPIRES_AT", status.expiresAt.map { "\($0.rawValue)" }),
      ("TOKENVAULT_ACCOUNT", status.account), ("TOKENVAULT_REASON", status.reason),
      ("TOKENVAULT_NEXT_STEP", status.nextStep),
    ].map { (name, value) in (name, PrintableText.oneLine(value ?? "")) }
  }
}
