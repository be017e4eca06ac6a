import SessionModel

extension NamespaceReader {
  /// Reads the parameters of the authorization request.
  ///
  /// - Returns: Those that the person may set, in the order of the file.
  mutating func readParameters() -> [NamespaceConfiguration.Parameter] {
    let key = "authorizationParameters"
    guard let found = table.table(key, example: "{ prompt = \"consent\" }") else { return [] }
    return parameters(in: found.members, key)
  }

  /// Reads the ways to sign in at the provider that a person may choose.
  ///
  /// - Returns: Those that are well formed, in the order of the file.
  mutating func readLoginMethods() -> [NamespaceConfiguration.LoginMethod] {
    let key = "loginMethods"
    let example = "{ google = { kc_idp_hint = \"google\" } }"
    guard let found = table.table(key, example: example) else { return [] }
    var result: [NamespaceConfiguration.LoginMethod] = []
    for member in found.members {
      guard case .table(let members) = member.value.content, !members.isEmpty else {
        report(
          member.position, key,
          "has to hold parameters for \(PrintableText.quoted(member.key));"
            + " for example \(key) = \(example)")
        continue
      }
      result.append(.init(name: member.key, parameters: parameters(in: members, key)))
    }
    return result
  }

  private func parameters(
    in members: [TOMLEntry], _ key: String
  ) -> [NamespaceConfiguration.Parameter] {
    var result: [NamespaceConfiguration.Parameter] = []
    for member in members {
      guard case .string(let value) = member.value.content else {
        report(
          member.position, key,
          "has to hold strings, but \(PrintableText.quoted(member.key)) is \(member.value.kind)")
        continue
      }
      guard !Self.ownParameters.contains(member.key) else {
        report(
          member.position, key,
          "cannot set \"\(member.key)\", which the host sets itself; remove it")
        continue
      }
      guard !member.key.isEmpty else {
        report(member.position, key, "holds an empty name; remove it")
        continue
      }
      result.append(.init(name: member.key, value: value))
    }
    return result
  }

  private static let ownParameters: Set<String> = [
    "client_id", "client_secret", "code_challenge", "code_challenge_method", "nonce",
    "redirect_uri", "request", "request_uri", "response_mode", "response_type", "scope", "state",
  ]

  /// Reads the endpoints.
  ///
  /// - Returns: Those that are named and to which a credential may go.
  mutating func readEndpoints() -> EndpointConfiguration {
    let example = "{ deviceAuthorization = \"https://id.example/device\" }"
    guard let found = table.table("endpoints", example: example) else {
      return EndpointConfiguration()
    }
    var reader = TableReader(
      name: "namespaces.\(namespace.name).endpoints", entries: found.members,
      position: found.entry.position, findings: table.findings)
    let result = EndpointConfiguration(
      authorization: Self.endpoint("authorization", &reader),
      token: Self.endpoint("token", &reader),
      deviceAuthorization: Self.endpoint("deviceAuthorization", &reader),
      revocation: Self.endpoint("revocation", &reader),
      introspection: Self.endpoint("introspection", &reader),
      userinfo: Self.endpoint("userinfo", &reader), jwks: Self.endpoint("jwks", &reader))
    reader.reportUnknownKeys()
    return result
  }

  private static func endpoint(_ key: String, _ reader: inout TableReader) -> String? {
    guard let url = reader.string(key, example: "https://id.example/\(key)") else { return nil }
    guard let address = AddressText(url.text) else {
      reader.findings.report(
        url.at, "\"\(key)\" \(reader.place) is not a URL; write it like https://id.example/\(key)")
      return nil
    }
    if let problem = address.problem(allowsQuery: true) {
      reader.findings.report(url.at, "\"\(key)\" \(reader.place) \(problem)")
      return nil
    }
    return url.text
  }
}
