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
      log.error(error.sentence)
      return error.code
    }
  }

  private struct Failure: Error {
    let sentence: String
    let code: ExitCode

    init(_ sentence: String, _ code: ExitCode) {
      self.sentence = sentence
      self.code = code
    }

    init(_ error: FileError) {
      self.init(error.description, HostStartError.exitCode(of: error))
    }
  }

  private func register() async throws(Failure) {
    let name = invocation.text(HostCommand.namespace) ?? Namespace.primary.name
    guard let namespace = Namespace(name) else {
      throw Failure(
        "\(name): not a namespace; letters, digits, '.', '_' and '-', 64 at most", .usage)
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
      throw Failure("--ca-file takes an absolute path", .usage)
    }
    if let problem = lines.problems().first { throw Failure(problem, .usage) }
    let token = try initialAccessToken()
    let files = try reserve(for: namespace)
    let client = try await client(lines, token: token, files: files)
    do throws(FileError) {
      try files.keep(record: client.record, secret: client.secret)
    } catch {
      throw Failure("registered as \(client.clientId), but \(error)", .storage)
    }
    lines.clientId = client.clientId
    if client.secret != nil { lines.clientSecretFile = files.secretName }
    lines.clientAuthentication = client.authentication?.configured
    try show(lines, client, files)
  }

  private func client(
    _ lines: NamespaceText, token: String?, files: RegistrationFiles
  ) async throws(Failure) -> RegisteredClient {
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
      throw Failure(error.description, error.exitCode)
    }
  }

  private var configurationPath: String? {
    invocation.text(HostCommand.besideConfiguration) ?? ConfigurationPath.resolve(environment)
  }

  private func reserve(for namespace: Namespace) throws(Failure) -> RegistrationFiles {
    guard let path = configurationPath else {
      throw Failure(
        "neither TOKENVAULT_CONFIG, XDG_CONFIG_HOME nor HOME is set; name --config FILE",
        .configuration)
    }
    let files: RegistrationFiles
    let earlier: String?
    do throws(FileError) {
      files = try RegistrationFiles(configuration: path, namespace: namespace)
      earlier = try files.reserve()
    } catch {
      throw Failure(error)
    }
    guard let earlier else { return files }
    throw Failure(
      "\(earlier): \(namespace) was registered before; remove it to register anew, or name"
        + " another --namespace", .usage)
  }

  private func initialAccessToken() throws(Failure) -> String? {
    guard let path = invocation.text(HostCommand.tokenFile) else { return nil }
    do throws(FileError) {
      let bytes =
        path == "-"
        ? try readToEnd(of: STDIN_FILENO, limit: 64 << 10, path: "standard input")
        : try PrivateFile.read(path: path, sizeLimit: 64 << 10)
      var text = String(decoding: bytes, as: UTF8.self)
      while text.last?.isNewline == true { text.removeLast() }
      return text
    } catch {
      throw Failure(error)
    }
  }

  private func show(
    _ lines: NamespaceText, _ client: RegisteredClient, _ files: RegistrationFiles
  ) throws(Failure) {
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
      throw Failure("standard output: write: \(error)", .storage)
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
