import GrantModel
import HostControl
import SessionModel

extension NamespaceSession {
  /// Asks the provider what it holds of the access token; the session stays as it is.
  ///
  /// - Returns: the event for whoever asked.
  func introspect() async -> ControlEvent {
    // A token that is being replaced may end while the question is on its way.
    while let renewal { _ = await renewal.value }
    guard !isStopping else { return .failed(.stopping, message: "the host is stopping") }
    guard let grant = record.grant else {
      guard case .failed(let reason, let text) = reportNotRenewable() else { return .done }
      return .failed(reason, message: text)
    }
    log(.debug, "\(setup.namespace): asking the provider about the access token")
    switch await setup.source.introspect(grant) {
    case .answered(let answer):
      return .introspection(IntrospectionAnswer(answer, of: setup.namespace))
    case .unsupported(let why): return .failed(.flowUnsupported, message: why)
    case .unusable(let check):
      return .failed(
        .verificationFailed, message: "the provider's answer failed a check: \(check)")
    // Nobody tries again: whoever asked is told that the provider is there and does not answer.
    case .transient(.unavailable(let status), _):
      return .failed(
        .providerError, message: TransientCause.unavailable(status: status).description)
    case .transient(let cause, _): return .failed(cause.reason, message: cause.description)
    }
  }
}

extension IntrospectionAnswer {
  fileprivate init(_ answer: TokenIntrospection, of namespace: Namespace) {
    self.init(
      namespace: namespace, isActive: answer.isActive, scope: answer.scope,
      clientId: answer.clientId, username: answer.username, tokenType: answer.tokenType,
      expiresAt: answer.expiresAt, issuedAt: answer.issuedAt, subject: answer.subject,
      audience: answer.audience, issuer: answer.issuer)
  }
}
