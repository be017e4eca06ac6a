import HostControl
import SessionModel

/// A configured namespace whose stored session this host cannot use; the others go on without it.
struct UnusableNamespace: Sendable {
  /// What is configured.
  let setup: NamespaceSession.Setup
  /// Why, in one sentence that names the file and the mend.
  let reason: String

  init(_ setup: NamespaceSession.Setup, _ error: HostStartError) {
    self.setup = setup
    reason = error.description
  }

  /// Describes the namespace for `tokenvault status`, one entry for each access group.
  var status: [NamespaceStatus] {
    setup.status(
      .storage(errno: 0), host: .storageFailed, reason: reason,
      nextStep: "mend that, or begin anew: tokenvault forget \(setup.namespace)")
  }
}

extension NamespaceSession.Setup {
  /// Describes a namespace that has no session in this host, one entry for each access group.
  func status(
    _ session: SessionState, host: HostState, reason: String, nextStep: String
  ) -> [NamespaceStatus] {
    accessGroups.map { group in
      NamespaceStatus(
        namespace: namespace, group: group, session: session.word,
        host: HostCondition.reported(host).word, reason: reason, nextStep: nextStep)
    }
  }
}
