import CommandRuntime
import FileSupport
import HostControl
import SessionModel
import VaultReader
import VaultReporting

extension VaultCommand {
  /// `status`: shows what state each namespace is in.
  ///
  /// - Throws: `CommandFailure`.
  func printStatus() throws(CommandFailure) {
    guard !invocation.has(VaultCommands.window) else { return try openStatus() }
    let list = try statusList()
    guard !invocation.has(VaultCommands.json) else { return CommandOutput.vault.write(list.json) }
    let table = StatusTable(
      terminal: CommandOutput.vault.terminal, showsGroups: invocation.has(VaultCommands.all))
    CommandOutput.vault.write(table.text(list))
  }

  /// Opens a window of the terminal with the same command in it, as a click on a bar does.
  private func openStatus() throws(CommandFailure) {
    var words = [readSystemLink("/proc/self/exe") ?? Self.programPath(), "status"]
    for option in [VaultCommands.oneNamespace, VaultCommands.group] {
      if let name = invocation.text(option) { words.append("--\(option.name)=\(name)") }
    }
    if invocation.has(VaultCommands.all) { words.append("--\(VaultCommands.all.name)") }
    do {
      try TerminalWindow(environment: .process(["TERMINAL"])).open(words)
    } catch {
      throw CommandFailure(error.description, .configuration)
    }
  }

  private func statusList() throws(CommandFailure) -> StatusList {
    let vault = try vault()
    if invocation.has(VaultCommands.namespace) {
      let namespace = try optionNamespace()
      let status = NamespaceStatus(vault.state(namespace: namespace.name), of: namespace)
      return StatusList(published: [status], configured: [], of: vault.accessGroup)
    }
    var published: [NamespaceStatus] = []
    do throws(AccessTokenError) {
      for vault in try groups(beside: vault) {
        for namespace in try vault.publishedNamespaces() {
          published.append(NamespaceStatus(vault.state(namespace: namespace.name), of: namespace))
        }
      }
    } catch {
      throw CommandFailure(error)
    }
    let host = hostStatus()
    return StatusList(
      published: published, configured: host?.statuses,
      of: invocation.has(VaultCommands.all) ? nil : vault.accessGroup,
      protection: host?.protection, findings: host?.findings ?? [])
  }

  private func groups(beside vault: TokenVault) throws(AccessTokenError) -> [TokenVault] {
    guard invocation.has(VaultCommands.all) else { return [vault] }
    return try vault.publishedGroups().compactMap { try? TokenVault(accessGroup: $0.name) }
  }

  /// What the host is configured for; nil where no host answers, which is no fault of a status.
  private func hostStatus() -> (
    statuses: [NamespaceStatus], protection: String?, findings: [Finding]
  )? {
    var statuses: [NamespaceStatus] = []
    var findings: [Finding] = []
    var protection: String?
    let limit = Duration.seconds(1)
    let deadline = Deadline(after: limit)
    do throws(ControlError) {
      var client = try connect(timeout: limit)
      try client.send(.status(nil), within: deadline.rest)
      answer: while true {
        switch try client.nextEvent(timeout: deadline.rest) {
        case .namespace(let status): statuses.append(status)
        case .protection(let text): protection = text
        case .finding(let finding): findings.append(finding)
        default: break answer
        }
      }
    } catch {
      return nil
    }
    return (statuses, protection, findings)
  }
}
