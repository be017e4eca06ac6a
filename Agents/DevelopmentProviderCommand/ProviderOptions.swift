import CommandRuntime
import DevelopmentProvider
import JOSE

/// The command line of the program, and the configuration that it asks for.
enum ProviderOptions {
  private static let port = CommandOption(
    "port", value: .number(name: "N"), help: "Listens on this port; the default is any free one")
  private static let issuerPath = CommandOption(
    "issuer-path", value: .text(name: "PATH"), help: "Puts the issuer under this path")
  private static let lifetime = CommandOption(
    "lifetime", value: .duration, help: "Lets access tokens live this long; the default is 5m")
  private static let refreshLifetime = CommandOption(
    "refresh-lifetime", value: .duration, help: "Lets each refresh token live this long")
  private static let autoApprove = CommandOption(
    "auto-approve", help: "Says yes by itself, without a person at the page")
  private static let noRotation = CommandOption(
    "no-rotation", help: "Keeps the refresh token at a refresh")
  private static let noReuseDetection = CommandOption(
    "no-reuse-detection", help: "Refuses a replaced refresh token without revoking the rest")
  private static let grace = CommandOption(
    "grace", value: .duration, help: "Takes a replaced refresh token for this long still")
  private static let clientID = CommandOption(
    "client-id", value: .text(name: "ID"), help: "Names the client; the default is desktop")
  private static let clientSecret = CommandOption(
    "client-secret", value: .text(name: "TEXT"), help: "Makes the client a confidential one")
  private static let account = CommandOption(
    "account", value: .text(name: "NAME"), help: "Names the person; the default is Alice")
  private static let algorithm = CommandOption(
    "algorithm", value: .choice(SignatureAlgorithm.allCases.map(\.rawValue)),
    help: "Signs ID tokens so; the default is RS256")
  private static let jwt = CommandOption("jwt", help: "Makes access tokens JWTs (RFC 9068)")
  private static let deviceInterval = CommandOption(
    "device-interval", value: .duration, help: "Makes devices poll at this interval")
  private static let fault = CommandOption(
    "fault", value: .text(name: "ENDPOINT:WHEN:WHAT"), isRepeatable: true,
    help: "Adds a fault, such as token:3-6:503")
  private static let outage = CommandOption(
    "outage", value: .text(name: "AT:FOR[:EVERY]"), isRepeatable: true,
    help: "Drops every connection for a time, such as 20s:10s:60s")
  static let verbose = CommandOption(
    "verbose", letter: "v", help: "Writes a line for each request to standard error")

  /// Everything the program understands.
  static let table = CommandTable(
    program: "development-provider",
    summary: "A small OpenID provider on loopback, for demonstrations and tests only",
    version: CommandTable.projectVersion,
    base: Command(
      "", summary: "Serves until SIGTERM or Ctrl-C",
      details: [
        "Whoever reaches the port can sign in: this is no service. Standard output gets a"
          + " configuration for tokenvault-host, the issuer first.",
        "A fault is ENDPOINT:WHEN:WHAT. ENDPOINT is "
          + ProviderEndpoint.allCases.map(\.rawValue).joined(separator: ", ")
          + ", or * for all. WHEN is the number of the request, a range (3-6 or 3-), or *. WHAT is a list with commas:"
          + " a status code, drop (no answer, nothing done), lose (done, but no answer),"
          + " delay=2s, retry-after=N, html.",
        "SIGUSR1 starts an outage in which every connection is dropped; the next one ends it.",
      ],
      options: [
        port, issuerPath, lifetime, refreshLifetime, autoApprove, noRotation, noReuseDetection,
        grace, clientID, clientSecret, account, algorithm, jwt, deviceInterval, fault, outage,
        verbose,
      ]),
    closing: [
      "Example: development-provider --lifetime 5s --auto-approve --outage 20s:10s:60s -v"
    ])

  /// A value that no option may have; one sentence with the mend.
  struct WrongValue: Error, CustomStringConvertible {
    /// What is wrong with which option.
    let description: String
  }

  /// Returns the configuration that the command line asks for.
  ///
  /// - Throws: `WrongValue`.
  static func configuration(
    _ invocation: CommandInvocation
  ) throws(WrongValue) -> ProviderConfiguration {
    var configuration = ProviderConfiguration()
    guard let number = UInt16(exactly: invocation.number(port) ?? 0) else {
      throw WrongValue(description: "the port is not between 0 and 65535")
    }
    configuration.port = number
    configuration.issuerPath = invocation.text(issuerPath) ?? ""
    guard ProviderConfiguration.isIssuerPath(configuration.issuerPath) else {
      throw WrongValue(
        description: "the issuer's path has to begin with a slash and to end without one, as in"
          + " /realms/demo")
    }
    if let lifetime = invocation.duration(lifetime) { configuration.accessTokenLifetime = lifetime }
    configuration.refreshTokenLifetime = invocation.duration(refreshLifetime)
    if invocation.has(autoApprove) { configuration.approval = .automatic }
    configuration.rotatesRefreshTokens = !invocation.has(noRotation)
    configuration.detectsReuse = !invocation.has(noReuseDetection)
    configuration.reuseGrace = invocation.duration(grace) ?? .zero
    configuration.clients[0].identifier = invocation.text(clientID) ?? "desktop"
    configuration.clients[0].secret = invocation.text(clientSecret)
    if let name = invocation.text(account) {
      configuration.accounts[0] = ProviderAccount(
        subject: "\(name.lowercased())-0001", name: name,
        email: "\(name.lowercased())@example.com")
    }
    if let algorithm = invocation.text(algorithm).flatMap(SignatureAlgorithm.init) {
      configuration.algorithm = algorithm
    }
    if invocation.has(jwt) { configuration.accessTokenForm = .jwt }
    if let interval = invocation.duration(deviceInterval) {
      configuration.deviceInterval = interval
    }
    return configuration
  }

  /// Returns the fault script that the command line asks for.
  static func faults(_ invocation: CommandInvocation) throws(FaultTextError) -> [FaultRule] {
    var rules: [FaultRule] = []
    for text in invocation.texts(outage) { rules.append(try FaultRule(outage: text)) }
    for text in invocation.texts(fault) { rules.append(try FaultRule(text: text)) }
    return rules
  }
}
