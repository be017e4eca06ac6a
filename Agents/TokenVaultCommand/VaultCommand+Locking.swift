import CommandRuntime
import HostControl
import VaultReporting

extension VaultCommand {
  /// `lock`: has the host let go of its key.
  ///
  /// - Throws: `CommandFailure`.
  func lock() throws(CommandFailure) {
    let event = try answer(to: .lock, otherwise: "nothing changed")
    guard case .done = event else { throw failure(event) }
    CommandOutput.vault.write("The host is locked.\n")
  }

  /// `unlock`: has the host bring its key back; a passphrase is asked for where it needs one.
  ///
  /// - Throws: `CommandFailure`.
  func unlock() throws(CommandFailure) {
    let consequence = "nothing changed"
    var event = try answer(to: .unlock(passphrase: nil), otherwise: consequence)
    if case .passphraseNeeded(let isNew) = event {
      event = try answer(
        to: .unlock(passphrase: try passphrase(isNew: isNew)), otherwise: consequence)
    }
    guard case .done = event else { throw failure(event) }
    CommandOutput.vault.write("The host is unlocked.\n")
  }

  private func passphrase(isNew: Bool) throws(CommandFailure) -> String {
    let prompts =
      isNew
      ? ["New passphrase of TokenVault:", "The same passphrase once more:"]
      : ["Passphrase of TokenVault:"]
    var given: [String] = []
    for prompt in prompts {
      do {
        var text = String(decoding: try PassphrasePrompt.ask(prompt), as: UTF8.self)
        while text.last?.isNewline == true { text.removeLast() }
        given.append(text)
      } catch {
        throw CommandFailure(error.description, .permission)
      }
    }
    let again = isNew ? ", and a new one is needed twice, a line each" : ""
    guard let first = given.first, !first.isEmpty else {
      throw CommandFailure("the passphrase is empty\(again); nothing changed", .usage)
    }
    guard given.allSatisfy({ $0 == first }) else {
      throw CommandFailure("the two passphrases differ\(again); nothing changed", .usage)
    }
    return first
  }
}
