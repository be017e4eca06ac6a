package import CommandRuntime
package import HostControl
import SessionModel

extension VaultExamination {
  /// What follows from the host's answer, or from its silence.
  static func host(_ facts: VaultFacts, _ answer: HostAnswer) -> [Finding] {
    let check = "host"
    let report: HostReport
    switch answer {
    case .success(let given): report = given
    case .failure(.otherUser(let directory, let user)):
      return [
        Finding(
          check, .advice,
          "the host in \(directory) is a system service and answers user \(user) alone",
          mend: "to have it asked, run: sudo -u '#\(user)' tokenvault doctor")
      ]
    case .failure(let error):
      return [absence(facts, error)]
    }
    guard !report.statuses.isEmpty else {
      return [
        Finding(
          "configuration", .problem, "the host answers, and no namespace is configured",
          mend: StatusList.configurationStep)
      ] + report.findings
    }
    var told: [Namespace] = []
    let sessions = report.statuses.filter { status in
      // A namespace has one session, whatever the number of its access groups.
      defer { told.append(status.namespace) }
      return !told.contains(status.namespace)
    }
    return [Finding(check, .fine, "the host answers")] + sessions.map(session)
      + sameAccounts(sessions) + report.findings
  }

  private static func absence(_ facts: VaultFacts, _ error: ControlError) -> Finding {
    let check = "host"
    if facts.runtime.contains(where: \.isHeld) {
      return Finding(
        check, .problem, "a host is running and could not be asked: \(error)",
        mend: "its log says why; else start it again")
    }
    // Its lock is in a directory that cannot be used: nothing is known of it.
    if case .file = error {
      return Finding(
        check, .advice, "whether a host is running is not known before its directory is mended",
        mend: "then run once more: tokenvault doctor")
    }
    guard !facts.hosts.isEmpty else {
      return Finding(check, .problem, "no host is running", mend: "start it: tokenvault-host")
    }
    let processes = facts.hosts.map(String.init).joined(separator: ", ")
    let places = facts.runtime.map(\.path).joined(separator: " or ")
    return Finding(
      check, .problem,
      "a host of this user runs (process \(processes)), but none in \(places)",
      mend: "set XDG_RUNTIME_DIR or TOKENVAULT_RUNTIME_DIR here to what the host has, or start one:"
        + " tokenvault-host")
  }

  // A provider that keeps one grant of an account and a client ends the one with the other.
  private static func sameAccounts(_ sessions: [NamespaceStatus]) -> [Finding] {
    sessions.indices.compactMap { index in
      let session = sessions[index]
      guard let account = session.account, let issuer = session.issuer,
        let twin = sessions[..<index].first(where: {
          $0.account == account && $0.issuer == issuer
        })
      else { return nil }
      return Finding(
        "session", .advice,
        "\(twin.namespace) and \(session.namespace) are both \(account) at \(issuer)",
        mend: "one namespace will do for any number of readers; some providers end one session with"
          + " the other")
    }
  }

  private static func session(_ status: NamespaceStatus) -> Finding {
    let check = "session"
    let name = status.namespace.name
    let reason = status.reason.map { ": " + $0 } ?? ""
    let mend = status.nextStep
    switch (status.session, status.host) {
    case (_, "storage-failed"), (_, "locked"):
      return Finding(
        check, .problem, "\(name): the host is in the state \(status.host)\(reason)", mend: mend)
    case ("valid", _), ("expiring", _), ("expiry-unknown", _):
      guard status.host != "ok", status.host != "renewing" else {
        return Finding(check, .fine, "\(name): signed in")
      }
      return Finding(
        check, .advice, "\(name): signed in; the host is in the state \(status.host)\(reason)",
        mend: mend)
    case ("absent", _), ("signed-out", _):
      return Finding(check, .advice, "\(name): nobody is signed in", mend: mend)
    default:
      return Finding(
        check, .problem, "\(name): the session is in the state \(status.session)\(reason)",
        mend: mend)
    }
  }
}

extension ExitCode {
  /// What an examination ends with: done where there is no problem, else the first one's code.
  package init(_ findings: [Finding]) {
    let first = findings.first { $0.level == .problem }
    self =
      switch first?.check {
      case nil: .done
      case "environment", "configuration", "redirect", "unit": .configuration
      case "access-group", "runtime-directory", "state-directory", "key-directory", "key-file",
        "files":
        .permission
      case "host": .hostUnreachable
      default: .temporary
      }
  }
}
