package import HostControl
package import SessionModel
package import VaultReader

extension NamespaceStatus {
  /// The status that a reader sees, as `status --json` and `watch --format json` print it.
  ///
  /// - Parameters:
  ///   - state: what the reader sees.
  ///   - namespace: the namespace that was asked for.
  package init(_ state: VaultState, of namespace: Namespace) {
    self.init(
      namespace: namespace, group: state.accessGroup, session: state.session.word,
      host: state.host.word, generation: state.generation, publishedAt: state.publishedAt,
      nextPublicationBy: state.nextPublicationBy, expiresAt: state.expiresAt,
      expiresIn: state.expiresIn, issuer: state.issuer, account: state.accountName,
      reason: state.reason, nextStep: state.nextStep)
  }
}
