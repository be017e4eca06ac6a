import CommandRuntime
import FileSupport
import GrantModel
import Glibc
import HTTPExchange
import HostConfiguration
import HostControl
import OIDCClient
import SessionHost
import SessionModel

/// Makes sessions' setups out of the configuration: the one place that knows both sides.
struct SourceFactory {
  let environment: Environment
  let log: Log
  let notifier: PersonNotifier?
  private let queues = RenewalQueues()

  init(environment: Environment, log: Log, notifier: PersonNotifier? = nil) {
    (self.environment, self.log, self.notifier) = (environment, log, notifier)
  }

  func setup(_ configuration: NamespaceConfiguration) -> NamespaceSession.Setup {
    let source = OIDCSessionSource(
      configuration: OIDCConfiguration(
        issuer: configuration.issuer, clientId: configuration.clientId,
        authentication: authentication(configuration), scopes: configuration.scopes,
        flow: configuration.flow == .device ? .device : .browser,
        redirects: configuration.redirects,
        authorizationParameters: configuration.authorizationParameters.map {
          .init(name: $0.name, value: $0.value)
        },
        loginMethods: configuration.loginMethods.map { method in
          LoginMethod(
            name: method.name,
            parameters: method.parameters.map { .init(name: $0.name, value: $0.value) })
        },
        endpoints: EndpointOverrides(
          authorization: configuration.endpoints.authorization,
          token: configuration.endpoints.token,
          deviceAuthorization: configuration.endpoints.deviceAuthorization,
          revocation: configuration.endpoints.revocation,
          introspection: configuration.endpoints.introspection,
          userInfo: configuration.endpoints.userinfo, keys: configuration.endpoints.jwks),
        allowsMissingProofKeySupport: configuration.allowMissingPKCE),
      http: HTTPClient(
        .init(proxy: configuration.proxy?.revealed, caFile: configuration.caFile)),
      time: ClientTime(
        clock: TaskLoopClock(), wall: { UnixTime(rawValue: wallClockSeconds()) }))
    return NamespaceSession.Setup(
      namespace: configuration.namespace, source: source,
      policy: RenewalPolicy(
        renewBefore: configuration.renewBefore ?? .seconds(60),
        assumedLifetime: configuration.assumedLifetime,
        isAutomatic: configuration.automaticSilentRenew),
      queue: queues.queue(of: configuration.issuer),
      accessGroups: configuration.accessGroups,
      sharesRefreshToken: configuration.shareRefreshToken, accountName: configuration.account,
      window: configuration.privateBrowser.map { .privateWindow(command: $0) } ?? .usual,
      onError: configuration.onError.map { errorHook($0, configuration.namespace) },
      onMatter: notifier.map { matterHook($0, configuration.namespace) })
  }

  private func authentication(_ configuration: NamespaceConfiguration) -> ClientAuthentication {
    guard let source = configuration.clientSecret else { return .none }
    let secret: ClientAuthentication.Secret = { () async throws(ClientSecretError) in
      try await ClientSecret.read(source)
    }
    return switch configuration.clientAuthentication {
    case .basic: .basic(secret)
    case .post: .post(secret)
    // What the provider's metadata says.
    case nil: .secret(secret)
    }
  }

  private func matterHook(
    _ notifier: PersonNotifier, _ namespace: Namespace
  ) -> @Sendable (PersonMatter?) -> Void {
    { matter in notifier.note(matter, of: namespace) }
  }

  // The command learns of the failure from its environment, never from its arguments.
  private func errorHook(
    _ command: [String], _ namespace: Namespace
  ) -> @Sendable (String) -> Void {
    let hook = CommandHook(command, environment: environment) { [log] failure in
      log.warning("\(namespace): the onError command failed: \(failure)")
    }
    return { message in
      hook.run([
        (name: "TOKENVAULT_NAMESPACE", value: namespace.name),
        (name: "TOKENVAULT_MESSAGE", value: message),
      ])
    }
  }
}
