import CommandRuntime
import FileSupport
import HostControl
import SessionModel
import StrictJSON
import VaultReader
import VaultReporting

extension VaultCommand {
  /// `status`: shows what state each namespace is in.
  ///
  /// - Throws: `UsageError` or `CommandFailure`.
  func printStatus() throws {
    let list = try statusList()
    if invocation.has(VaultCommands.json) {
      let object: JSONObject = [
        "namespaces": .array(list.statuses.map { .object($0.object) }),
        "protection": list.protection.map { .string($0) } ?? .null,
      ]
      CommandOutput.write(String(decoding: object.encoded(), as: UTF8.self) + "\n")
      return
    }
    let terminal = Terminal(
      descriptor: StandardStream.output.descriptor,
      environment: .process(["NO_COLOR", "TERM", "COLUMNS"]))
    let table = StatusTable(terminal: terminal, showsGroups: invocation.has(VaultCommands.all))
    CommandOutput.write(table.text(list))
  }

  private func statusList() throws -> StatusList {
    let group = try vault().accessGroup
    if invocation.has(VaultCommands.namespace) {
      let namespace = try optionNamespace()
      let status = NamespaceStatus(try vault().state(namespace: namespace.name), of: namespace)
      return StatusList(published: [status], configured: [], of: group)
    }
    var published: [NamespaceStatus] = []
    let vaults = try self.vaults()
    do throws(AccessTokenError) {
      for vault in vaults {
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
      of: invocation.has(VaultCommands.all) ? nil : group, protection: host?.protection)
  }

  private func vaults() throws -> [TokenVault] {
    let vault = try vault()
    guard invocation.has(VaultCommands.all) else { return [vault] }
    do throws(AccessTokenError) {
      return try vault.publishedGroups().compactMap { try? TokenVault(accessGroup: $0.name) }
    } catch {
      throw CommandFailure(error)
    }
  }

  /// What the host is configured for; nil where no host answers, which is no fault of a status.
  private func hostStatus() -> (statuses: [NamespaceStatus], protection: String?)? {
    var statuses: [NamespaceStatus] = []
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
        default: break answer
        }
      }
    } catch {
      return nil
    }
    return (statuses, protection)
  }
}
