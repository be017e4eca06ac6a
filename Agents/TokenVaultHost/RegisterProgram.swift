import CommandRuntime
import FileSupport
import Glibc
import HTTPExchange
import HostConfiguration
import OIDCClient
import SessionHost
import SessionModel

/// `register`: has a provider make a client, and prints the lines that configure it.
struct RegisterProgram {
  let invocation: CommandInvocation
  let environment: Environment
  let log: Log

  func run() async -> ExitCode {
    do {
      try await register()
      return .done
    } catch {
      return error.report(log)
    }
  }

  private func register() async throws(ProgramFailure) {
    let name = invocation.text(HostCommand.namespace) ?? Namespace.primary.name
    guard let namespace = Namespace(name) else {
      throw .noNamespace(name)
    }
    let redirects = invocation.texts(HostCommand.redirect)
    var scopes = invocation.texts(HostCommand.scope).flatMap { $0.split(separator: " ") }
      .map(String.init)
    if scopes.isEmpty { scopes = HostCommand.defaultScopes }
    // What stands here for the identifier, the provider chooses.
    var lines = NamespaceText(
      namespace: namespace, issuer: invocation.operands.first ?? "", clientId: "client",
      scopes: scopes)
    lines.redirects = redirects
    lines.caFile = invocation.text(HostCommand.caFile)
    lines.proxy = invocation.text(HostCommand.proxy)
    // A relative one would mean another file where the lines are put.
    guard lines.caFile?.hasPrefix("/") != false else {
      throw ProgramFailure("--ca-file takes an absolute path", .usage)
    }
    if let problem = lines.problems().first { throw ProgramFailure(problem, .usage) }
    let token = try initialAccessToken()
    let files = try reserve(for: namespace)
    let client = try await client(lines, token: token, files: files)
    do throws(FileError) {
      try files.keep(record: client.record, secret: client.secret)
    } catch {
      throw ProgramFailure("registered as \(client.clientId), but \(error)", .storage)
    }
    lines.clientId = client.clientId
    if client.secret != nil { lines.clientSecretFile = files.secretName }
    lines.clientAuthentication = client.authentication?.configured
    try show(lines, client, files)
  }

  private func client(
    _ lines: NamespaceText, token: String?, files: RegistrationFiles
  ) async throws(ProgramFailure) -> RegisteredClient {
    let authentication: ClientMetadata.Authentication? =
      switch invocation.text(HostCommand.authentication) {
      case "none": .publicClient
      case "basic": .basic
      case "post": .post
      // What the provider's metadata lists.
      default: nil
      }
    let asked = ClientMetadata(
      name: invocation.text(HostCommand.name) ?? "TokenVault",
      redirectURIs: lines.redirects.isEmpty ? ClientMetadata.anyPort : lines.redirects,
      scopes: lines.scopes, authentication: authentication)
    let registration = ClientRegistration(
      issuer: lines.issuer, http: HTTPClient(.init(proxy: lines.proxy, caFile: lines.caFile)),
      time: ClientTime(
        clock: TaskLoopClock(), wall: { UnixTime(rawValue: wallClockSeconds()) }))
    do throws(RegistrationError) {
      return try await registration.register(asked, token: token)
    } catch {
      files.release()
      throw ProgramFailure(error.description, error.exitCode)
    }
  }

  private var configurationPath: String? {
    invocation.text(HostCommand.besideConfiguration) ?? ConfigurationPath.resolve(environment)
  }

  private func reserve(for namespace: Namespace) throws(ProgramFailure) -> RegistrationFiles {
    guard let path = configurationPath else { throw .noConfigurationPath }
    let files: RegistrationFiles
    let earlier: String?
    do throws(FileError) {
      files = try RegistrationFiles(configuration: path, namespace: namespace)
      earlier = try files.reserve()
    } catch {
      throw ProgramFailure(error)
    }
    guard let earlier else { return files }
    throw ProgramFailure(
      "\(earlier): \(namespace) was registered before; remove it to register anew, or name"
        + " another --namespace", .usage)
  }

  private func initialAccessToken() throws(ProgramFailure) -> String? {
    guard let path = invocation.text(HostCommand.tokenFile) else { return nil }
    do throws(FileError) {
      let bytes =
        path == "-"
        ? try readToEnd(of: STDIN_FILENO, limit: 64 << 10, path: "standard input")
        : try PrivateFile.read(path: path, sizeLimit: 64 << 10)
      return ClientSecret.withoutLineEnd(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw ProgramFailure(error)
    }
  }

  private func show(
    _ lines: NamespaceText, _ client: RegisteredClient, _ files: RegistrationFiles
  ) throws(ProgramFailure) {
    log.info(
      "registered as \(client.clientId); the provider's answer is kept in \(files.recordPath)")
    if client.secret != nil { log.info("the client secret is kept in \(files.secretPath)") }
    for note in client.notes { log.warning(note) }
    if let path = configurationPath,
      let file = try? ConfigurationFile.load(path: path, environment: environment),
      file[lines.namespace] != nil
    {
      log.warning(
        "\(path) has [namespaces.\(lines.namespace)] already: put these lines in its place")
    }
    if let end = client.secretExpiresAt {
      let left = end.since(UnixTime(rawValue: wallClockSeconds()))
      log.warning("the client secret is good for \(DurationText.format(left, parts: 2))")
    }
    do throws(Errno) {
      try StandardStream.output.write(lines.text)
    } catch {
      throw ProgramFailure("standard output: write: \(error)", .storage)
    }
  }
}

extension ClientMetadata.Authentication {
  /// What the configuration calls it.
  fileprivate var configured: NamespaceConfiguration.ClientAuthentication? {
    switch self {
    case .publicClient: nil
    case .basic: .basic
    case .post: .post
    }
  }
}

extension RegistrationError {
  /// What the process ends with.
  fileprivate var exitCode: ExitCode {
    switch self {
    case .unauthorized: .permission
    case .notOffered, .refused, .unusable, .configuration: .configuration
    case .transient: .temporary
    }
  }
}
