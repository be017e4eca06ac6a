import CommandRuntime
import FileSupport
import Glibc
import HostControl
import VaultReporting

extension VaultCommand {
  /// `doctor`: looks at everything that the vault needs, and ends with the first problem's code.
  func examine() {
    let facts = VaultFacts(
      environment: .process(VaultFacts.variables), user: geteuid())
    let findings = VaultExamination.findings(facts, host: hostReport())
    CommandOutput.vault.write(
      invocation.has(VaultCommands.json)
        ? FindingList.json(findings) : FindingList.text(findings, on: CommandOutput.vault.terminal))
    exit(ExitCode(findings).rawValue)
  }

  private func hostReport() -> VaultExamination.HostAnswer {
    var report = VaultExamination.HostReport()
    do throws(ControlError) {
      for request in [ControlRequest.status(nil), .examine] {
        var client = try connect()
        try client.send(request)
        answer: while true {
          switch try client.nextEvent(timeout: .seconds(5)) {
          case .namespace(let status): report.statuses.append(status)
          case .finding(let finding): report.findings.append(finding)
          case .protection: break
          case .done: break answer
          case .failed(_, let message): throw .malformed(message)
          default: throw .malformed("the host's answer does not fit the request")
          }
        }
      }
      return .success(report)
    } catch {
      return .failure(error)
    }
  }
}
