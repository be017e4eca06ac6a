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
    var isHostReachable = false
    var statuses: [NamespaceStatus] = []
    if invocation.has(VaultCommands.namespace) {
      let namespace = try optionNamespace()
      statuses = [NamespaceStatus(try vault().state(namespace: namespace.name), of: namespace)]
    } else {
      let vaults = try self.vaults()
      do throws(AccessTokenError) {
        for vault in vaults {
          for namespace in try vault.publishedNamespaces() {
            statuses.append(NamespaceStatus(vault.state(namespace: namespace.name), of: namespace))
          }
        }
      } catch {
        throw CommandFailure(error)
      }
      if let configured = configuredNamespaces() {
        isHostReachable = true
        let known = statuses.map(\.namespace)
        statuses += configured.filter { !known.contains($0.namespace) }
      }
    }
    if invocation.has(VaultCommands.json) {
      let object: JSONObject = ["namespaces": .array(statuses.map { .object($0.object) })]
      CommandOutput.write(String(decoding: object.encoded(), as: UTF8.self) + "\n")
      return
    }
    let terminal = Terminal(
      descriptor: StandardStream.output.descriptor,
      environment: .process(["NO_COLOR", "TERM", "COLUMNS"]))
    let table = StatusTable(terminal: terminal, showsGroups: invocation.has(VaultCommands.all))
    CommandOutput.write(table.text(statuses, isHostReachable: isHostReachable))
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
  private func configuredNamespaces() -> [NamespaceStatus]? {
    var statuses: [NamespaceStatus] = []
    let limit = Duration.seconds(1)
    let deadline = Deadline(after: limit)
    do throws(ControlError) {
      var client = try connect(timeout: limit)
      try client.send(.status(nil), within: deadline.rest)
      while case .namespace(let status) = try client.nextEvent(timeout: deadline.rest) {
        statuses.append(status)
      }
    } catch {
      return nil
    }
    return statuses
  }
}
