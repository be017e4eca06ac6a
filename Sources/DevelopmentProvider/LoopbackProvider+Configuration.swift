extension LoopbackProvider {
  /// A configuration for `tokenvault-host` that signs in here, the issuer first.
  package var configurationText: String {
    let client = configuration.clients.first ?? .desktop
    let secret = client.secret.map { "clientSecret = \"\(Self.escape($0))\"\n" } ?? ""
    return """
      # issuer: \(issuer)
      # A development provider: for demonstrations and tests only.
      [namespaces.primary]
      issuer = "\(issuer)"
      clientId = "\(Self.escape(client.identifier))"
      \(secret)scopes = ["openid", "profile", "email", "offline_access"]

      """
  }

  // A TOML basic string.
  private static func escape(_ text: String) -> String {
    text.map { $0 == "\"" || $0 == "\\" ? "\\\($0)" : String($0) }.joined()
  }
}
