import FileSupport
import SessionModel

/// Reads the tables of access groups: who reads them besides the host's own user.
struct AccessGroupReader {
  /// Whether the host is a system service, which alone has readers of other users.
  let isSystemService: Bool
  /// Looks a Unix group up by its name.
  let lookUp: (String) -> UnixGroupLookup
  /// Where problems go.
  let findings: Findings

  /// Reads everything.
  ///
  /// - Parameters:
  ///   - entries: What `[accessGroups]` holds.
  ///   - namespaces: The namespaces, which say what is published to which group.
  /// - Returns: The Unix group of each access group that has one.
  func read(
    _ entries: [TOMLEntry], publishedTo namespaces: [NamespaceConfiguration]
  ) -> [AccessGroup: UInt32] {
    var result: [AccessGroup: UInt32] = [:]
    for entry in entries {
      guard case .table(let members) = entry.value.content else {
        findings.report(
          entry.position,
          "\(PrintableText.quoted(entry.key)) stands in [accessGroups] itself; put it below a name,"
            + " such as [accessGroups.default]")
        continue
      }
      guard let group = AccessGroup(entry.key) else {
        findings.report(
          entry.position,
          "the access group name \(PrintableText.quoted(entry.key)) is not allowed; \(nameRule)")
        continue
      }
      var table = TableReader(
        name: "accessGroups.\(group.name)", entries: members, position: entry.position,
        findings: findings)
      let named = table.string("unixGroup", example: "tokenvault-readers")
      table.reportUnknownKeys()
      if !namespaces.contains(where: { $0.accessGroups.contains(group) }) {
        findings.warn(
          entry.position,
          "nothing is published to the access group \(group); name it in accessGroups of a namespace"
        )
      }
      guard let named else { continue }
      switch identifier(of: named.text) {
      case .success(let identifier): result[group] = identifier
      case .failure(let problem):
        findings.report(named.at, "\"unixGroup\" \(table.place) \(problem.text)")
      }
    }
    return result
  }

  private struct Problem: Error {
    let text: String
  }

  private func identifier(of name: String) -> Result<UInt32, Problem> {
    guard isSystemService else {
      return .failure(
        Problem(
          text:
            "lets other users read, which they can only where the host is a system service, with"
            + " TOKENVAULT_RUNTIME_DIR=\(VaultDirectories.systemService); remove it, or run the host"
            + " as tokenvault.service"))
    }
    let quoted = PrintableText.quoted(name)
    return switch lookUp(name) {
    case .identifier(let identifier): .success(identifier)
    case .unknown:
      .failure(
        Problem(text: "is \(quoted), which is no Unix group; run: groupadd --system \(quoted)"))
    case .notMember(let user):
      .failure(
        Problem(
          text: "is \(quoted), and the host's user is not in that group, so that it cannot give"
            + " anything to it; run: usermod -a -G \(quoted) \"$(id -un \(user))\", and start the host again"
        ))
    case .failed(let number):
      .failure(Problem(text: "is \(quoted), which could not be looked up: getgrnam: \(number)"))
    }
  }
}
