/// What takes bytes from outside, each with what must hold for any of them.
package enum FuzzTarget: String, Sendable, CaseIterable {
  /// A snapshot file as it is.
  case snapshot
  /// A snapshot that was changed inside and sealed again.
  case resealed
  /// A token and its verification.
  case token
  /// A JSON Web Key Set.
  case keys
  /// A JSON text.
  case json
  /// A form and a query.
  case form
  /// What arrives on a connection to the loopback server.
  case http
  /// What arrives on the control socket.
  case control
  /// What the kernel tells of watched directories.
  case events
  /// A configuration file.
  case configuration

  /// Gives an input to the code that is tested.
  ///
  /// - Parameter input: any bytes.
  /// - Throws: `FuzzFinding` where something does not hold.
  package func digest(_ input: [UInt8]) throws(FuzzFinding) {
    switch self {
    case .snapshot: try SnapshotInput.digest(input)
    case .resealed: try ResealedInput.digest(input)
    case .token: try TokenInput.digest(input)
    case .keys: try KeyInput.digest(input)
    case .json: try JSONInput.digest(input)
    case .form: try FormInput.digest(input)
    case .http: try ConnectionInput.digest(input)
    case .control: try ControlInput.digest(input)
    case .events: try EventInput.digest(input)
    case .configuration: try ConfigurationInput.digest(input)
    }
  }
}

/// What must hold of an input and does not.
package struct FuzzFinding: Error, Sendable, CustomStringConvertible {
  /// One sentence.
  package let description: String

  /// Makes a finding.
  package init(_ description: String) { self.description = description }
}

/// Demands a condition.
///
/// - Throws: `FuzzFinding` where it is false.
func demand(_ condition: Bool, _ sentence: String) throws(FuzzFinding) {
  guard condition else { throw FuzzFinding(sentence) }
}
