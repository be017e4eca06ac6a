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

  private struct Failure: Error {
    let sentence: String
    let code: ExitCode

    init(_ sentence: String, _ code: ExitCode) {
      self.sentence = sentence
      self.code = code
    }

    init(_ error: HostStartError) {
      self.init(error.description, error.exitCode)
    }
  }

  func run() async -> ExitCode {
    do {
      try await rekey()
      return .done
    } catch {
      log.error(error.sentence)
      return error.code
    }
  }

  private func rekey() async throws(Failure) {
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
      throw Failure(error)
    }
    defer { home.release() }
    guard let kept = found else {
      log.info("there is no key yet: the host makes one when it starts, kept by \(wanted.word)")
      return
    }
    let former = try await secret(of: kept, reading, prompts: ["Passphrase of TokenVault:"])
    let state: StateDirectory
    do {
      state = try StateDirectory(in: home, protection: KeyProtection(kept, secret: former))
    } catch {
      throw Failure(error)
    }
    let new = try await secret(
      of: wanted, reading,
      prompts: ["New passphrase of TokenVault:", "The same passphrase once more:"])
    do {
      try state.rekey(KeyProtection(wanted, secret: new))
    } catch {
      throw Failure(error)
    }
    log.info("the stored sessions have a new key, kept by \(wanted.word)")
  }

  private func configuration() throws(Failure) -> ConfigurationFile {
    let path = invocation.text(HostCommand.configuration) ?? ConfigurationPath.resolve(environment)
    guard let path else {
      throw Failure(
        "neither TOKENVAULT_CONFIG, XDG_CONFIG_HOME nor HOME is set; name --config FILE",
        .configuration)
    }
    do {
      return try ConfigurationFile.load(path: path, environment: environment)
    } catch {
      throw Failure(error.description, .configuration)
    }
  }

  private func secret(
    of storage: KeyStorage, _ reading: KeyReading, prompts: [String]
  ) async throws(Failure) -> SharedSecret? {
    if storage == .file { return nil }
    if storage != .passphrase || reading.configuration.passphraseCommand != nil {
      switch await reading.secret(of: storage) {
      case .success(let secret): return secret
      case .failure(let error): throw Failure(error.description, .permission)
      }
    }
    var given: [[UInt8]] = []
    for prompt in prompts {
      do {
        given.append(try PassphrasePrompt.ask(prompt))
      } catch {
        throw Failure(error.description, .permission)
      }
    }
    guard given.allSatisfy({ $0 == given.first }) else {
      throw Failure("the two passphrases differ; nothing changed", .usage)
    }
    do {
      guard let secret = try KeyText.passphrase(given.first ?? []) else {
        throw Failure("the passphrase is empty; nothing changed", .usage)
      }
      return secret
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure("\(error)", .storage)
    }
  }
}
