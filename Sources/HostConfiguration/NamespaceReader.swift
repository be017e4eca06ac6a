import SessionModel

/// Reads the table of one namespace.
struct NamespaceReader {
  /// The namespace's table.
  var table: TableReader
  /// The namespace.
  let namespace: Namespace
  private let paths: PathResolver

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - namespace: The namespace.
  ///   - table: Its table.
  ///   - paths: What relative paths are relative to.
  init(_ namespace: Namespace, table: TableReader, paths: PathResolver) {
    self.namespace = namespace
    self.table = table
    self.paths = paths
  }

  /// Reads everything; what is wrong is reported and replaced by something harmless.
  ///
  /// - Returns: The namespace, to be used only when nothing was reported.
  mutating func read() -> NamespaceConfiguration {
    let issuer = readIssuer()
    let clientId = readClientId()
    let scopes = readScopes()
    let secret = readSecret()
    let authentication = readChoice(
      "clientAuthentication", NamespaceConfiguration.ClientAuthentication.self)
    let flow = readChoice("flow", NamespaceConfiguration.Flow.self)
    let redirects = readRedirects()
    let privateBrowser = readPrivateBrowser()
    let parameters = readParameters()
    let methods = readLoginMethods()
    let endpoints = readEndpoints()
    let groups = readAccessGroups()
    let account = table.string("account", example: "work")?.text
    let renewBefore = table.duration("renewBefore", example: "60s", least: .zero)
    let lifetime = table.duration("assumedLifetime", example: "1h", least: .seconds(1))
    let automatic = table.boolean("automaticSilentRenew")?.value
    let shares = table.boolean("shareRefreshToken")
    let allowMissingPKCE = table.boolean("allowMissingPKCE")?.value
    let proxy = readProxy()
    let caFile = table.string("caFile", example: "/etc/ssl/private-ca.pem").map {
      paths.absolute($0.text)
    }
    let onError = readCommand("onError", example: "[\"notify-send\", \"TokenVault\"]")
    table.reportUnknownKeys()
    if let shares, shares.value {
      table.findings.warn(
        shares.at,
        "\"shareRefreshToken\" \(table.place) lets every reader of the access groups rotate the"
          + " session; leave it out unless a program needs the refresh token itself")
    }
    // Plain OAuth 2.0 knows neither of the two scopes, and some servers refuse what they don't know.
    let isPlain = endpoints.areComplete && endpoints.jwks == nil
    return NamespaceConfiguration(
      namespace: namespace, line: table.position.line, issuer: issuer, clientId: clientId,
      scopes: scopes ?? (isPlain ? [] : ["openid", "offline_access"]),
      clientSecret: secret, clientAuthentication: authentication, flow: flow ?? .browser,
      redirects: redirects, privateBrowser: privateBrowser, authorizationParameters: parameters,
      loginMethods: methods, endpoints: endpoints,
      accessGroups: groups, account: account, renewBefore: renewBefore, assumedLifetime: lifetime,
      automaticSilentRenew: automatic ?? true, shareRefreshToken: shares?.value ?? false,
      allowMissingPKCE: allowMissingPKCE ?? false, proxy: proxy, caFile: caFile,
      onError: onError)
  }

  private mutating func readIssuer() -> String {
    guard let entry = table.entry("issuer") else {
      table.reportMissing("issuer", example: "\"https://id.example\"")
      return ""
    }
    guard let issuer = table.string("issuer", example: "https://id.example") else { return "" }
    check(issuer.text, at: entry.position, key: "issuer", allowsQuery: false)
    return issuer.text
  }

  private mutating func readClientId() -> String {
    guard table.entry("clientId") != nil else {
      table.reportMissing("clientId", example: "\"...\", as the provider calls this client")
      return ""
    }
    guard let client = table.string("clientId", example: "desktop") else { return "" }
    // RFC 6749 appendix A.1.
    if !client.text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) {
      report(client.at, "clientId", "holds characters other than printable ASCII")
    }
    return client.text
  }

  private mutating func readScopes() -> [String]? {
    let example = "[\"openid\", \"offline_access\"]"
    guard let scopes = table.strings("scopes", example: example, allowsEmpty: true) else {
      return nil
    }
    var result: [String] = []
    for (scope, position) in scopes {
      // RFC 6749 appendix A.4: no space, no quote, no backslash.
      guard scope.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C })
      else {
        report(
          position, "scopes",
          "holds \(PrintableText.quoted(scope)), which is not one scope; write each on its own")
        continue
      }
      if !result.contains(where: { $0.utf8.elementsEqual(scope.utf8) }) { result.append(scope) }
    }
    return result
  }

  private mutating func readSecret() -> SecretSource? {
    let keys = ["clientSecret", "clientSecretFile", "clientSecretCommand"]
    let entries = keys.compactMap { table.entry($0) }.sorted { $0.position < $1.position }
    if entries.count > 1 {
      table.findings.report(
        entries[1].position,
        "\"\(entries[0].key)\" and \"\(entries[1].key)\" \(table.place) exclude each other;"
          + " keep one of them")
    }
    if let secret = table.string("clientSecret", example: "...") {
      return .text(Redacted(secret.text))
    }
    if let file = table.string("clientSecretFile", example: "~/.config/tokenvault/secret") {
      return .file(paths.absolute(file.text))
    }
    return readCommand("clientSecretCommand", example: "[\"pass\", \"show\", \"client\"]")
      .map(SecretSource.command)
  }

  private mutating func readChoice<Choice: CaseIterable & RawRepresentable<String>>(
    _ key: String, _ type: Choice.Type
  ) -> Choice? {
    table.choice(key, type)?.value
  }

  private mutating func readRedirects() -> [String] {
    let values = table.strings(
      "redirect", expected: "a string or a list of strings",
      example: "\"http://127.0.0.1:8400/callback\"", allowsSingle: true)
    for (text, position) in values ?? [] {
      if let problem = RedirectText.problem(text) { report(position, "redirect", problem) }
    }
    return values?.map(\.text) ?? []
  }

  private mutating func readAccessGroups() -> [AccessGroup] {
    let names = table.strings("accessGroups", example: "[\"default\"]")
    var result: [AccessGroup] = []
    for (name, position) in names ?? [] {
      guard let group = AccessGroup(name) else {
        report(
          position, "accessGroups",
          "holds the name \(PrintableText.quoted(name)), which is not allowed; \(nameRule)")
        continue
      }
      if !result.contains(group) { result.append(group) }
    }
    return result.isEmpty ? [.default] : result
  }

  private mutating func readProxy() -> Redacted? {
    guard let proxy = table.string("proxy", example: "http://proxy.example:3128") else {
      return nil
    }
    let schemes = ["http", "https", "socks5", "socks5h"]
    guard let address = AddressText(proxy.text), schemes.contains(address.scheme) else {
      report(
        proxy.at, "proxy",
        "is not a proxy's URL; write it like http://proxy.example:3128"
          + " (\(schemes.joined(separator: ", ")))")
      return nil
    }
    return Redacted(proxy.text)
  }

  // True takes whatever browser there is.
  private mutating func readPrivateBrowser() -> [String]? {
    let key = "privateBrowser"
    if case .boolean(let isPrivate)? = table.entry(key)?.value.content {
      return isPrivate ? [] : nil
    }
    return table.strings(
      key, expected: "true, false or a list of strings, a program and its arguments",
      example: "[\"firefox\", \"--private-window\", \"%s\"]")?.map(\.text)
  }

  private mutating func readCommand(_ key: String, example: String) -> [String]? {
    table.strings(
      key, expected: "a list of strings, a program and its arguments", example: example)?
      .map(\.text)
  }

  private func check(_ text: String, at position: TOMLPosition, key: String, allowsQuery: Bool) {
    guard let address = AddressText(text) else {
      report(position, key, "is not a URL; write it like https://id.example")
      return
    }
    if let problem = address.problem(allowsQuery: allowsQuery) { report(position, key, problem) }
  }

  /// Reports what is wrong with a key of the table.
  ///
  /// - Parameters:
  ///   - position: Where it is.
  ///   - key: The key.
  ///   - problem: What is wrong and what to do, as the end of a sentence.
  func report(_ position: TOMLPosition, _ key: String, _ problem: String) {
    table.findings.report(position, "\"\(key)\" \(table.place) \(problem)")
  }
}

/// What a namespace or an access group may be called, as the end of an error.
let nameRule = "use 1 to 64 letters, digits, \".\", \"_\" or \"-\", the first a letter or a digit"
