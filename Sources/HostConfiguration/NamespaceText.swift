import FileSupport
package import SessionModel

/// The lines of a configuration for one namespace, as a program writes them for a person.
package struct NamespaceText: Sendable, Hashable {
  /// The namespace.
  package var namespace: Namespace
  /// The issuer identifier.
  package var issuer: String
  /// The client identifier.
  package var clientId: String
  /// The scopes to ask for.
  package var scopes: [String]
  /// Redirect URIs; empty for any free port.
  package var redirects: [String] = []
  /// The file with the client secret; nil for a public client.
  package var clientSecretFile: String?
  /// How the client proves itself; nil for what the metadata says.
  package var clientAuthentication: NamespaceConfiguration.ClientAuthentication?
  /// A file with the certificate authorities to trust.
  package var caFile: String?
  /// The proxy.
  package var proxy: String?

  /// Makes lines with the keys that every namespace has.
  package init(namespace: Namespace, issuer: String, clientId: String, scopes: [String]) {
    self.namespace = namespace
    self.issuer = issuer
    self.clientId = clientId
    self.scopes = scopes
  }

  /// The lines with their ends: TOML 1.0.
  package var text: String {
    // A name with a dot would be two.
    let isBare = namespace.name.utf8.allSatisfy { $0 != UInt8(ascii: ".") }
    var lines = ["[namespaces.\(isBare ? namespace.name : Self.quoted(namespace.name))]"]
    func add(_ key: String, _ text: String?) {
      if let text { lines.append("\(key) = \(Self.quoted(text))") }
    }
    func add(_ key: String, list: [String]) {
      lines.append("\(key) = [\(list.map(Self.quoted).joined(separator: ", "))]")
    }
    add("issuer", issuer)
    add("clientId", clientId)
    add("clientSecretFile", clientSecretFile)
    add("clientAuthentication", clientAuthentication?.rawValue)
    add("scopes", list: scopes)
    if !redirects.isEmpty { add("redirect", list: redirects) }
    add("caFile", caFile)
    add("proxy", proxy)
    return lines.map { $0 + "\n" }.joined()
  }

  /// What the host would say about the lines.
  ///
  /// - Returns: One sentence for each problem; none where the host would take them.
  package func problems() -> [String] {
    do throws(ConfigurationError) {
      _ = try ConfigurationFile.parse(
        Array(text.utf8), path: "", environment: Environment([:]))
      return []
    } catch {
      guard case .invalid(let problems, _) = error else { return [error.description] }
      return problems.map(\.sentence)
    }
  }

  /// A basic string of TOML.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\" + String(scalar)
      case _ where scalar.value < 0x20 || scalar.value == 0x7F:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
