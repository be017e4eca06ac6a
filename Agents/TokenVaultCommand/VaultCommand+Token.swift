import CommandRuntime
import FileSupport
import Glibc
import HostControl
import SessionModel
import VaultReader
import VaultReporting

extension VaultCommand {
  /// `token`: prints the access token and nothing else.
  ///
  /// - Throws: `CommandFailure`.
  func printToken() throws(CommandFailure) {
    let vault = try vault()
    let namespace = try optionNamespace()
    let session = try session(of: namespace, in: vault)
    let format = invocation.text(VaultCommands.tokenFormat).flatMap { TokenFormat(rawValue: $0) }
    guard let format, format != .raw else {
      CommandOutput.vault.write(session.record.accessToken + "\n")
      // What the vault holds ends with the process; to take it apart first would only cost time.
      exit(ExitCode.done.rawValue)
    }
    do {
      let text = try format.text(
        session, namespace: namespace, environment: .process(TokenFormat.variables))
      CommandOutput.vault.write(text + "\n")
    } catch {
      throw CommandFailure(error.description, .configuration)
    }
  }

  /// `run`: turns into a command that has the access token.
  ///
  /// - Throws: `CommandFailure`; it never returns else.
  func runProgram() throws(CommandFailure) {
    let session: StoredSessionV1
    do throws(CommandFailure) {
      session = try self.session(of: optionNamespace(), in: vault()).record
    } catch {
      throw CommandFailure(error.description, .runFailed)
    }
    // What an outer `run` left behind is another token, or none any more.
    var environment = Environment.process.removing(["ACCESS_TOKEN", "BEARER_TOKEN_FILE"])
    if invocation.has(VaultCommands.tokenFile) {
      do {
        let file = try AnonymousFile.makeInherited(
          named: "bearer-token", holding: Array(session.accessToken.utf8))
        environment = environment.setting("BEARER_TOKEN_FILE", to: "/proc/self/fd/\(file)")
      } catch {
        throw CommandFailure(error.description, .runFailed)
      }
    } else {
      environment = environment.setting("ACCESS_TOKEN", to: session.accessToken)
    }
    do {
      try ChildProcess.replace(
        with: lastArguments(invocation.operands.count), environment: environment)
    } catch {
      throw CommandFailure(error.description, error.exitCode)
    }
  }

  /// The session of a namespace, its token newer from the host where the options allow it.
  ///
  /// - Throws: `CommandFailure`.
  func session(
    of namespace: Namespace, in vault: TokenVault
  ) throws(CommandFailure) -> UsableSession {
    let request = TokenRequest(
      vault: vault, namespace: namespace, validFor: invocation.duration(VaultCommands.validFor),
      mayAsk: !invocation.has(VaultCommands.noRenew))
    return try request.session { namespace, validity in
      askHost(for: namespace, validFor: validity)
    }
  }

  private func askHost(
    for namespace: Namespace, validFor validity: Duration
  ) -> TokenRequest.HostAnswer {
    do throws(ControlError) {
      let answer = try ControlClient.answer(
        to: .renew(namespace, validFor: validity), in: runtimeDirectory(),
        within: RenewalNeed.patience, now: bootClockNanoseconds)
      switch answer {
      case .renewed: return .renewed
      case .failed(let reason, let message):
        return .refused(CommandFailure(reason, message: message))
      default: return .silent
      }
    } catch {
      return .silent
    }
  }
}
