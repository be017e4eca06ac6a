package import FileSupport
import GrantModel
import HostControl
import SecretMemory
import SecureStore
package import SessionModel
import SnapshotFormat
import SnapshotStore

/// The host: all sessions of one state directory, their snapshots and the control socket.
package actor HostService {
  /// The name of the lock by which readers see that the host is alive.
  package static let lockName = "host.lock"
  /// The name of the control socket.
  package static let socketName = "host.sock"

  private let state: StateDirectory
  private let runtime: RuntimePresence
  private let sessions: [Namespace: NamespaceSession]
  private let drawQRCode: @Sendable (String) -> [String]?
  private let log: HostLog

  /// Takes the locks and loads every session; nothing is published or sent yet.
  ///
  /// - Parameters:
  ///   - setups: the configured namespaces.
  ///   - directories: where state, keys and runtime files are.
  ///   - machine: the machine's identifier (`machine-id(5)`), empty where there is none.
  ///   - time: the clocks.
  ///   - log: where the host reports.
  ///   - drawQRCode: draws a URL for a terminal, a row of text an element; nil where it can't.
  /// - Throws: `HostStartError`.
  package init(
    setups: [NamespaceSession.Setup], directories: VaultDirectories, machine: [UInt8],
    time: HostTime, log: HostLog, drawQRCode: @escaping @Sendable (String) -> [String]?
  ) throws(HostStartError) {
    state = try StateDirectory(directories: directories, machine: machine)
    runtime = try RuntimePresence(directories: directories, log: log)
    self.drawQRCode = drawQRCode
    self.log = log
    for parent in state.groupWritableParents {
      log(.warning, "\(parent): a group may write here and so replace the state below it")
    }
    if let path = state.setAside {
      log(.error, "the master key is gone; what it had sealed was put aside as \(path)")
    }
    let loader = try SessionLoader(state: state, runtime: runtime, time: time, log: log)
    var sessions: [Namespace: NamespaceSession] = [:]
    for setup in setups { sessions[setup.namespace] = try loader.session(for: setup) }
    self.sessions = sessions
    try loader.settleOrphans(configured: setups)
  }

  /// Publishes what is known, opens the control socket and begins to renew.
  ///
  /// - Throws: `HostStartError`.
  package func start() async throws(HostStartError) {
    for session in sessions.values { await session.publishSnapshot() }
    try runtime.serve { [weak self] request, send in
      guard let self else {
        send(.failed(.stopping, message: "the host is stopping"))
        return
      }
      await self.handle(request, send: send)
    }
    for session in sessions.values { await session.start() }
  }

  /// Hangs up on everybody, calls sign-ins off and waits for renewals to end.
  package func stop() async {
    await runtime.stop()
    for session in sessions.values { await session.stop() }
  }

  /// Renews what is due and publishes, without a control socket.
  ///
  /// - Returns: whether every session that was due could be renewed.
  package func runOnce() async -> Bool {
    var isDone = true
    for session in sessions.values { isDone = await session.runOnce() && isDone }
    return isDone
  }

  /// Signs a namespace out while no host is running.
  ///
  /// - Returns: how it ended; nil when the namespace is not configured.
  package func signOutOnce(_ namespace: Namespace) async -> SignOutReport? {
    await sessions[namespace]?.signOut()
  }

  private func handle(
    _ request: ControlRequest, send: @escaping @Sendable (ControlEvent) -> Void
  ) async {
    switch request {
    case .status(nil):
      for (_, session) in sessions.sorted(by: { $0.key.name < $1.key.name }) {
        for status in await session.status() { send(.namespace(status)) }
      }
      send(.done)
    case .status(let namespace?):
      guard let session = session(namespace, send) else { return }
      for status in await session.status() { send(.namespace(status)) }
      send(.done)
    case .renew(let namespace, let validFor):
      guard let session = session(namespace, send) else { return }
      send(ControlEvent(await session.renew(validFor: validFor), of: namespace))
    case .rejected(let namespace, let generation):
      guard let session = session(namespace, send) else { return }
      send(ControlEvent(await session.reject(generation: generation), of: namespace))
    case .signIn(let request):
      guard let session = session(request.namespace, send) else { return }
      let drawQRCode = drawQRCode
      let report = await session.signIn(GrantModel.SignInRequest(request)) { prompt in
        send(ControlEvent(prompt, drawQRCode: drawQRCode))
      }
      switch report {
      case .signedIn: send(.signedIn(request.namespace))
      case .failed(let reason, let message): send(.failed(reason, message: message))
      }
    case .signOut(let namespace):
      guard let session = session(namespace, send) else { return }
      switch await session.signOut() {
      case .signedOut(let outcome): send(.signedOut(namespace, outcome))
      case .failed(let reason, let message): send(.failed(reason, message: message))
      }
    }
  }

  private func session(
    _ namespace: Namespace, _ send: @Sendable (ControlEvent) -> Void
  ) -> NamespaceSession? {
    if let session = sessions[namespace] { return session }
    send(
      .failed(
        .unknownNamespace,
        message: "the configuration has no [namespaces.\(namespace)]; add it and restart the host"))
    return nil
  }
}

extension ControlEvent {
  fileprivate init(_ report: RenewalReport, of namespace: Namespace) {
    switch report {
    case .renewed(let generation): self = .renewed(namespace, generation: generation)
    case .failed(let reason, let message): self = .failed(reason, message: message)
    }
  }

  fileprivate init(_ prompt: SignInPrompt, drawQRCode: (String) -> [String]?) {
    switch prompt {
    case .authorize(let url): self = .authorize(url: url)
    case .device(let instructions):
      self = .device(
        DeviceAuthorization(
          verificationUri: instructions.verificationURI,
          verificationUriComplete: instructions.completeVerificationURI,
          userCode: instructions.userCode, expiresIn: instructions.validFor,
          qr: drawQRCode(
            instructions.completeVerificationURI ?? instructions.verificationURI)))
    }
  }
}

extension GrantModel.SignInRequest {
  // Somebody on a remote shell has no browser on this machine.
  fileprivate init(_ request: HostControl.SignInRequest) {
    let wished: Flow? =
      switch request.flow {
      case .browser: .browser
      case .device: .device
      case nil: request.isRemote ? .device : nil
      }
    self.init(
      flow: wished, loginHint: request.loginHint,
      parameters: request.parameters.map { Parameter(name: $0.name, value: $0.value) })
  }
}
