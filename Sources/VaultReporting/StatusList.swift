package import HostControl
package import SessionModel
import StrictJSON

/// The namespaces that `status` shows: those that are published, then those that are configured.
package struct StatusList: Sendable, Hashable {
  /// The namespaces, in the order in which they are shown.
  package let statuses: [NamespaceStatus]
  /// What there is to say where there is no namespace: one sentence with the next step.
  package let absence: String
  /// How far what the host stores is protected; nil where no host answers.
  package let protection: String?
  /// What the host has found wrong with itself, such as a configuration that it has refused.
  package let findings: [Finding]
  /// What to do where no namespace is configured.
  static let configurationStep =
    "start from: tokenvault-host example-config generic; then reload the host (SIGHUP)"

  /// Puts together what a reader sees and what the host is configured for.
  ///
  /// A namespace may be published for several access groups: what is seen of one group says nothing
  /// of another.
  /// - Parameters:
  ///   - published: the namespaces that a reader sees.
  ///   - configured: what the host says, of all groups; nil where no host answers.
  ///   - group: the group that is asked for; nil for all of them.
  ///   - protection: how far what the host stores is protected; nil where no host answers.
  ///   - findings: what the host has found wrong with itself.
  package init(
    published: [NamespaceStatus], configured: [NamespaceStatus]?, of group: AccessGroup?,
    protection: String? = nil, findings: [Finding] = []
  ) {
    self.protection = protection
    self.findings = findings
    let more = (configured ?? []).filter { status in
      (group == nil || status.group == group)
        && !published.contains { $0.namespace == status.namespace && $0.group == status.group }
    }
    // No snapshot tells of the login's end.
    let shown = published.map { status in
      var status = status
      let known = configured?.first {
        $0.namespace == status.namespace && $0.group == status.group
      }
      (status.loginEndsAt, status.loginEndsIn) = (known?.loginEndsAt, known?.loginEndsIn)
      return status
    }
    statuses = shown + more
    absence =
      switch configured {
      case nil: "Nothing has been published and no host is running. Start it: tokenvault-host"
      case []? where !findings.isEmpty: "No namespace is in use."
      case []?: "No namespace is configured; \(Self.configurationStep)"
      case _?:
        "No namespace is published for the access group \(group ?? .default)."
          + " See the others: tokenvault status --all"
      }
  }

  /// One object, `{"namespaces":[...],"protection","findings":[...]}`, as a line with its end.
  package var json: String {
    let object: JSONObject = [
      "namespaces": .array(statuses.map { .object($0.object) }),
      "protection": protection.map { .string($0) } ?? .null,
      "findings": .array(findings.map { .object($0.object) }),
    ]
    return object.line
  }
}
