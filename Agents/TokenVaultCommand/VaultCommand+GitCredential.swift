import CommandRuntime
import FileSupport
import Glibc
import SessionModel
import VaultReader
import VaultReporting

extension VaultCommand {
  /// `git-credential`: answers git as its credential helper.
  ///
  /// - Throws: `CommandFailure`; nothing stands on standard output then, and git goes on to its
  ///   next helper.
  func answerGit() throws(CommandFailure) {
    let hosts = try gitHosts()
    let username = try gitUsername()
    // gitcredentials(7): operations to come are to be ignored.
    guard
      let operation = GitCredentialRequest.Operation(rawValue: invocation.operands.first ?? "")
    else { return }
    let request = try gitRequest()
    guard hosts.contains(where: { $0.isHost(of: request) }), request.takes(username: username)
    else { return }
    let namespace = try optionNamespace()
    switch operation {
    case .get:
      let session = try session(of: namespace, in: vault()).record
      do {
        CommandOutput.vault.write(try request.answer(session, username: username))
      } catch {
        throw CommandFailure(error.description, .configuration)
      }
    case .store: break
    case .erase:
      guard let token = request.token else { return }
      try replace(token, of: namespace)
    }
  }

  private func replace(_ token: String, of namespace: Namespace) throws(CommandFailure) {
    let vault = try vault()
    let answer: RejectionAnswer
    do throws(AccessTokenError) {
      answer = try vault.reject(token, namespace: namespace.name)
    } catch {
      throw CommandFailure(error)
    }
    if case .unchanged(let why) = answer {
      throw CommandFailure(
        "git's server has refused the access token of \(namespace): \(why)", .temporary)
    }
  }

  private func gitRequest() throws(CommandFailure) -> GitCredentialRequest {
    let bytes: [UInt8]
    do {
      bytes = try readToEnd(of: STDIN_FILENO, limit: 1 << 20, path: "standard input")
    } catch {
      throw CommandFailure(error.description, .storage)
    }
    do {
      return try GitCredentialRequest(bytes)
    } catch {
      throw usage(error.description)
    }
  }

  private func gitHosts() throws(CommandFailure) -> [GitCredentialHost] {
    let texts = invocation.texts(VaultCommands.gitHost)
    guard !texts.isEmpty else {
      throw usage("--host HOST has to name the server that may get the token")
    }
    var hosts: [GitCredentialHost] = []
    for text in texts {
      guard let host = GitCredentialHost(text) else {
        throw usage(
          "--host takes a host such as git.example or git.example:8443, not"
            + " \(PrintableText.quoted(text))")
      }
      hosts.append(host)
    }
    return hosts
  }

  private func gitUsername() throws(CommandFailure) -> String? {
    guard let name = invocation.text(VaultCommands.gitUsername) else { return nil }
    guard name.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw usage("--username cannot hold control characters")
    }
    return name
  }
}
