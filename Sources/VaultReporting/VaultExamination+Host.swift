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
      guard facts.runtime.contains(where: \.isHeld) else {
        return [
          Finding(check, .problem, "no host is running", mend: "start it: tokenvault-host")
        ]
      }
      return [
        Finding(
          check, .problem, "a host is running and could not be asked: \(error)",
          mend: "its log says why; else start it again")
      ]
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
    return [Finding(check, .fine, "the host answers")] + sessions.map(session) + report.findings
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
      case "environment", "configuration", "redirect": .configuration
      case "access-group", "runtime-directory", "state-directory", "key-directory", "key-file",
        "files":
        .permission
      case "host": .hostUnreachable
      default: .temporary
      }
  }
}
