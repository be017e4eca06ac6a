import CommandRuntime
import FileSupport
package import HostControl
import SessionModel

/// What `doctor` concludes from what it has seen: each thing with its mend.
package enum VaultExamination {
  /// What the host said, or why it could not be asked.
  package typealias HostAnswer = Result<HostReport, ControlError>

  /// What the host knows and no reader can see.
  package struct HostReport: Sendable, Equatable {
    /// The states of its namespaces.
    package var statuses: [NamespaceStatus]
    /// What it has found out itself.
    package var findings: [Finding]

    /// Makes a report.
    package init(statuses: [NamespaceStatus] = [], findings: [Finding] = []) {
      self.statuses = statuses
      self.findings = findings
    }
  }

  /// Concludes.
  ///
  /// - Parameters:
  ///   - facts: what was seen on this machine.
  ///   - host: what the host said.
  /// - Returns: the findings, in the order in which they are best mended.
  package static func findings(_ facts: VaultFacts, host: HostAnswer) -> [Finding] {
    environment(facts) + directories(facts) + files(facts) + machine(facts)
      + self.host(facts, host)
  }

  private static func environment(_ facts: VaultFacts) -> [Finding] {
    var findings = facts.relativeVariables.map { name in
      Finding(
        "environment", .problem, "\(name) is not an absolute path and counts as unset",
        mend: "set it to an absolute path, for the host and for its readers")
    }
    if facts.state == nil || facts.keys == nil {
      findings.append(
        Finding(
          "environment", .problem, "HOME is not set, so nothing says where the host's state is",
          mend: "set HOME, or TOKENVAULT_STATE_DIR and TOKENVAULT_KEY_DIR"))
    }
    if !facts.namesRuntime, !facts.isService, facts.service == nil {
      let places = facts.runtime.map(\.path).joined(separator: " and ")
      let missing = "XDG_RUNTIME_DIR is not set, as in a cron job"
      findings.append(
        facts.runtime.first(where: \.isHeld).map {
          Finding("environment", .fine, "\(missing), and the host is found in \($0.path)")
        }
          ?? Finding(
            "environment", .advice, "\(missing): the host is looked for in \(places)",
            mend: "where the host uses another directory, set TOKENVAULT_RUNTIME_DIR to it"))
    }
    return findings.isEmpty
      ? [Finding("environment", .fine, "the environment names the directories")] : findings
  }

  private static func directories(_ facts: VaultFacts) -> [Finding] {
    if let service = facts.service { return self.service(service) }
    var findings = runtime(facts)
    // Where a service keeps them is what its unit says, and not this environment.
    func isElsewhere(_ site: VaultFacts.Site) -> Bool { facts.isService && site.place == .missing }
    if let state = facts.state, !isElsewhere(state) {
      findings.append(directory("state-directory", "the host's state", state))
    }
    if let keys = facts.keys, !isElsewhere(keys) {
      findings.append(directory("key-directory", "the host's keys", keys))
      findings.append(key(facts, in: keys))
    }
    findings += fileSystems(facts)
    return findings
  }

  private static func runtime(_ facts: VaultFacts) -> [Finding] {
    let check = "runtime-directory"
    let held = facts.runtime.filter(\.isHeld)
    if held.count > 1 {
      return [
        Finding(
          check, .problem,
          "hosts run in \(held.map(\.path).joined(separator: " and in ")); readers see the first",
          mend: "stop all but one of them")
      ]
    }
    // A reader takes the first that there is, and passes over one of another user's, as after su.
    let present = facts.runtime.filter { $0.place != .missing }
    guard let first = present.first(where: { !$0.isForeign }) ?? present.first else {
      let places = facts.runtime.map(\.path)
      let absence =
        places.count > 1
        ? "there is neither \(places.joined(separator: " nor "))"
        : "\(places.first ?? ""), the runtime directory, does not exist"
      return [Finding(check, .advice, absence, mend: "the host makes it when it starts")]
    }
    if let host = held.first, host.path != first.path {
      return [
        Finding(
          check, .problem, "the host works in \(host.path), but readers take \(first.path)",
          mend: "set TOKENVAULT_RUNTIME_DIR to one of them for all, and start the host again")
      ]
    }
    return [directory(check, "the runtime directory", first)]
  }

  private static func service(_ service: VaultFacts.Service) -> [Finding] {
    let check = "access-group"
    let group: Finding =
      switch service.defaultGroup {
      case .fine: Finding(check, .fine, "the access group default may be read")
      case .missing:
        Finding(
          check, .advice, "nothing is published for the access group default",
          mend: "where it is another group that is meant, name it with --group")
      case .unusable(let error): Finding(check, .problem, error.problem, mend: error.mend)
      }
    return [
      Finding(
        "runtime-directory", .fine,
        "\(service.path) is the runtime directory of a system service, of user \(service.owner)"),
      group,
    ]
  }

  private static func directory(
    _ check: String, _ what: String, _ site: VaultFacts.Site
  ) -> Finding {
    switch site.place {
    case .fine:
      Finding(check, .fine, "\(site.path) is \(what), with the right owner and mode")
    case .missing:
      Finding(
        check, .advice, "\(site.path), \(what), does not exist",
        mend: "the host makes it when it starts")
    case .unusable(let error): Finding(check, .problem, error.problem, mend: error.mend)
    }
  }

  private static func key(_ facts: VaultFacts, in keys: VaultFacts.Site) -> Finding {
    let check = "key-file"
    switch facts.masterKey {
    case .fine: return Finding(check, .fine, "the master key has the right owner and mode")
    case .unusable(let error): return Finding(check, .problem, error.problem, mend: error.mend)
    case .missing where facts.hasStore:
      return Finding(
        check, .problem, "\(keys.path) has no master key, which alone opens the stored sessions",
        mend: "put it back from a backup before the host starts, or sign in again")
    case .missing:
      return Finding(
        check, .advice, "\(keys.path) has no master key",
        mend: "the host makes it when it starts")
    }
  }

  private static func files(_ facts: VaultFacts) -> [Finding] {
    let named =
      [facts.masterKey] + ([facts.state, facts.keys] + facts.runtime).compactMap { $0?.place }
    var findings = facts.faults.filter { !named.contains(.unusable($0)) }.map {
      Finding("files", .problem, $0.problem, mend: $0.mend)
    }
    findings += facts.groupWritableParents.map { parent in
      Finding(
        "files", .advice, "\(parent): its group may replace what is below it",
        mend: "if the group has other members, run: chmod g-w '\(parent)'")
    }
    return findings.isEmpty
      ? [Finding("files", .fine, "every file and directory has the right owner and mode")]
      : findings
  }
}

extension VaultFacts.Site {
  fileprivate var isForeign: Bool {
    if case .unusable(.insecure(_, .owner)) = place { true } else { false }
  }
}
