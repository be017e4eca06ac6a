import HostControl
import SessionModel

/// A configured namespace whose stored session this host cannot use; the others go on without it.
struct UnusableNamespace: Sendable {
  /// The namespace.
  let namespace: Namespace
  /// Whose readers would have its session.
  let accessGroups: [AccessGroup]
  /// Why, in one sentence that names the file and the mend.
  let reason: String

  init(_ setup: NamespaceSession.Setup, _ error: HostStartError) {
    namespace = setup.namespace
    accessGroups = setup.accessGroups
    reason = error.description
  }

  /// Describes the namespace for `tokenvault status`, one entry for each access group.
  var status: [NamespaceStatus] {
    accessGroups.map { group in
      NamespaceStatus(
        namespace: namespace, group: group, session: SessionState.storage(errno: 0).word,
        host: HostCondition.reported(.storageFailed).word, reason: reason,
        nextStep: "mend that, or begin anew: tokenvault forget \(namespace)")
    }
  }
}
