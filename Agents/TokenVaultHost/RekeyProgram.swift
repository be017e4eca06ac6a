import CommandRuntime
import FileSupport
import Glibc
import HostConfiguration
import SecretMemory
import SecureStore
import SessionHost

/// `rekey`: gives the stored sessions another key, kept where the configuration says now.
struct RekeyProgram {
  let invocation: CommandInvocation
  let environment: Environment
  let log: Log

  func run() async -> ExitCode {
    do {
      try await rekey()
      return .done
    } catch {
      return error.report(log)
    }
  }

  private func rekey() async throws(ProgramFailure) {
    let reading = KeyReading(configuration: try configuration().key, environment: environment)
    let wanted = reading.configuration.storage.kept
    let home: StateHome
    let found: KeyStorage?
    do {
      home = try StateHome(
        directories: VaultDirectories(environment: environment, user: geteuid()),
        machine: machineIdentifier())
      found = try home.keyStorage()
    } catch {
      throw ProgramFailure(error)
    }
    defer { home.release() }
    guard let kept = found else {
      log.info(
        "there is no key yet: the host makes one when it starts, with keyStorage ="
          + " \"\(wanted.word)\"")
      return
    }
    let former = try await secret(of: kept, reading, prompts: ["Passphrase of TokenVault:"])
    let state: StateDirectory
    do {
      state = try StateDirectory(in: home, protection: KeyProtection(kept, secret: former))
    } catch {
      throw ProgramFailure(error)
    }
    let new = try await secret(
      of: wanted, reading,
      prompts: ["New passphrase of TokenVault:", "The same passphrase once more:"])
    var isInForce = false
    do {
      try state.rekey(KeyProtection(wanted, secret: new)) { done in
        if done == .keyReplaced { isInForce = true }
      }
    } catch {
      throw ProgramFailure(
        "\(error); "
          + (isInForce
            ? "the new key is in force, and the next start does what is left"
            : "nothing changed: the former key stays in force"),
        error.exitCode)
    }
    log.info("the stored sessions have a new key, with keyStorage = \"\(wanted.word)\"")
  }

  private func configuration() throws(ProgramFailure) -> ConfigurationFile {
    let path = invocation.text(HostCommand.configuration) ?? ConfigurationPath.resolve(environment)
    guard let path else { throw .noConfigurationPath }
    do {
      return try ConfigurationFile.load(path: path, environment: environment)
    } catch {
      throw ProgramFailure(error.description, .configuration)
    }
  }

  private func secret(
    of storage: KeyStorage, _ reading: KeyReading, prompts: [String]
  ) async throws(ProgramFailure) -> SharedSecret? {
    if storage == .file { return nil }
    if storage != .passphrase || reading.configuration.passphraseCommand != nil {
      switch await reading.secret(of: storage) {
      case .success(let secret): return secret
      case .failure(let error): throw ProgramFailure(error.description, .permission)
      }
    }
    var given: [[UInt8]] = []
    for prompt in prompts {
      do {
        given.append(try PassphrasePrompt.ask(prompt))
      } catch {
        throw ProgramFailure(error.description, .permission)
      }
    }
    guard given.allSatisfy({ $0 == given.first }) else {
      throw ProgramFailure("the two passphrases differ; nothing changed", .usage)
    }
    do {
      guard let secret = try KeyText.passphrase(given.first ?? []) else {
        throw ProgramFailure("the passphrase is empty; nothing changed", .usage)
      }
      return secret
    } catch let failure as ProgramFailure {
      throw failure
    } catch {
      throw ProgramFailure("\(error)", .storage)
    }
  }
}
