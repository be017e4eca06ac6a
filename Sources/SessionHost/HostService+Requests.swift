import GrantModel
import HostControl
import SecretMemory
import SecureStore
import SessionModel

extension HostService {
  /// Carries out one request of the control socket.
  func handle(
    _ request: ControlRequest, send: @escaping @Sendable (ControlEvent) -> Void
  ) async {
    log(.debug, "asked over the control socket: \(request.verb)")
    if let namespace = request.askedProvider, sessions[namespace] != nil,
      let wait = allowance.take(request, now: time.now().boot)
    {
      let text = DurationText.wait(wait)
      send(
        .failed(
          .rateLimited, message: "\(namespace): too many requests of this kind; again in \(text)"))
      return
    }
    switch request {
    case .lock:
      await lock(byHand: true)
      send(.done)
    case .unlock(let passphrase): await unlock(passphrase, send)
    case .status(nil):
      for namespace in setups.keys.sorted(by: { $0.name < $1.name }) {
        await sendStatus(of: namespace, send)
      }
      send(.protection(keys.storage.protection))
      for finding in warn() { send(.finding(finding)) }
      send(.done)
    case .status(let namespace?):
      guard setups[namespace] != nil else { return refuse(namespace, send) }
      await sendStatus(of: namespace, send)
      send(.done)
    case .renew(let namespace, let validFor):
      guard let session = await session(namespace, send) else { return }
      send(ControlEvent(await session.renew(validFor: validFor), of: namespace))
    case .rejected(let namespace, let generation):
      guard let session = await session(namespace, send) else { return }
      send(ControlEvent(await session.reject(generation: generation), of: namespace))
    case .signIn(let request):
      guard let session = await session(request.namespace, send) else { return }
      let drawQRCode = drawQRCode
      let report = await session.signIn(GrantModel.SignInRequest(request)) { prompt in
        send(ControlEvent(prompt, in: session.setup.window, drawQRCode: drawQRCode))
      }
      switch report {
      case .signedIn: send(.signedIn(request.namespace))
      case .failed(let reason, let message): send(.failed(reason, message: message))
      }
    case .signOut(let namespace):
      guard let session = await session(namespace, send) else { return }
      send(ControlEvent(await session.signOut(), of: namespace))
    case .forget(let namespace):
      switch await forget(namespace) {
      case .forgotten(let isRevoked): send(.forgotten(namespace, isRevoked: isRevoked))
      case .failed(let reason, let message): send(.failed(reason, message: message))
      }
    case .signOutInBrowser(let namespace):
      guard let session = await session(namespace, send) else { return }
      let drawQRCode = drawQRCode
      let (report, unconfirmed) = await session.signOutInBrowser { prompt in
        send(ControlEvent(prompt, in: session.setup.window, drawQRCode: drawQRCode))
      }
      if let unconfirmed { send(.endSessionUnconfirmed(unconfirmed)) }
      send(ControlEvent(report, of: namespace))
    case .introspect(let namespace):
      guard let session = await session(namespace, send) else { return }
      send(await session.introspect())
    case .complete(let namespace?, let address):
      guard let session = await session(namespace, send) else { return }
      send(ControlEvent(await session.deliver(address)))
    case .complete(nil, let address):
      guard opened != nil else {
        return send(.failed(.locked, message: HostService.lockedMessage))
      }
      // What a sign-in that waits says of the address tells more than those that do not wait.
      var outcome = DeliveryOutcome.notAwaited
      for (_, session) in sessions.sorted(by: { $0.key.name < $1.key.name }) {
        let next = await session.deliver(address)
        if next != .notAwaited { outcome = next }
        if next == .taken { break }
      }
      send(ControlEvent(outcome))
    case .examine:
      for finding in examine() { send(.finding(finding)) }
      for finding in await lookAtProviders() { send(.finding(finding)) }
      send(.done)
    }
  }

  private func sendStatus(
    of namespace: Namespace, _ send: @Sendable (ControlEvent) -> Void
  ) async {
    await revive(namespace)
    let statuses =
      if opened == nil {
        setups[namespace].map(HostService.lockedStatus)
      } else {
        await sessions[namespace]?.status() ?? unusable[namespace]?.status
      }
    for status in statuses ?? [] { send(.namespace(status)) }
  }

  private func session(
    _ namespace: Namespace, _ send: @Sendable (ControlEvent) -> Void
  ) async -> NamespaceSession? {
    guard opened != nil || setups[namespace] == nil else {
      send(.failed(.locked, message: HostService.lockedMessage))
      return nil
    }
    await revive(namespace)
    if let session = sessions[namespace] { return session }
    if let unusable = unusable[namespace] {
      send(.failed(.storage, message: unusable.reason))
      return nil
    }
    refuse(namespace, send)
    return nil
  }

  private func unlock(
    _ passphrase: String?, _ send: @Sendable (ControlEvent) -> Void
  ) async {
    let secret: SharedSecret?
    do {
      secret = try passphrase.map { text throws(SecretMemoryError) in
        SharedSecret(try SecretBytes(copyingUTF8: text))
      }
    } catch {
      return send(.failed(.storage, message: error.description))
    }
    switch await unlock(with: keys.storage == .passphrase ? secret : nil) {
    case .unlocked: send(.done)
    case .passphraseNeeded(let isNew): send(.passphraseNeeded(isNew: isNew))
    case .failed(let reason, let message): send(.failed(reason, message: message))
    }
  }

  private func refuse(_ namespace: Namespace, _ send: @Sendable (ControlEvent) -> Void) {
    send(
      .failed(
        .unknownNamespace,
        message: "the configuration has no [namespaces.\(namespace)]; add it and reload the host"
          + " (SIGHUP)"))
  }
}

extension ControlEvent {
  fileprivate init(_ report: RenewalReport, of namespace: Namespace) {
    switch report {
    case .renewed(let generation): self = .renewed(namespace, generation: generation)
    case .failed(let reason, let message): self = .failed(reason, message: message)
    }
  }

  fileprivate init(_ report: SignOutReport, of namespace: Namespace) {
    switch report {
    case .signedOut(let outcome): self = .signedOut(namespace, outcome)
    case .failed(let reason, let message): self = .failed(reason, message: message)
    }
  }

  fileprivate init(_ outcome: DeliveryOutcome) {
    switch outcome {
    case .taken: self = .done
    case .refused(let why): self = .failed(.responseMismatch, message: why)
    case .notAwaited:
      self = .failed(
        .responseMismatch,
        message: "no sign-in waits for an address: this one was used before, or its sign-in is"
          + " over; start the sign-in again")
    }
  }

  fileprivate init(
    _ prompt: SignInPrompt, in window: BrowserWindow, drawQRCode: (String) -> [String]?
  ) {
    switch prompt {
    case .authorize(let url): self = .authorize(url: url, window: window)
    case .endSession(let url): self = .endSession(url: url, window: window)
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
  fileprivate init(_ request: HostControl.SignInRequest) {
    let wished: Flow? =
      switch request.flow {
      case .browser: .browser
      case .device: .device
      case nil: nil
      }
    self.init(
      flow: wished, isRemote: request.isRemote, loginHint: request.loginHint,
      loginMethod: request.loginMethod,
      parameters: request.parameters.map { Parameter(name: $0.name, value: $0.value) })
  }
}
