import CommandRuntime
import FileSupport
import HostConfiguration
import SecretMemory
import SecureStore
import SessionHost

/// Gets what opens the master key from where the configuration says, each time anew.
struct KeyReading: Sendable {
  /// How long a keyring may wait for a person who unlocks it.
  private static let patience = Duration.seconds(300)

  let configuration: KeyConfiguration
  let environment: Environment

  /// How the host gets at its key: where that is kept is settled at the start, and what opens it is
  /// asked for as the configuration in use says.
  static func access(
    following inUse: ConfigurationInUse, environment: Environment
  ) -> KeyAccess {
    let storage = inUse.keyStorage.kept
    let isPersonal = storage == .passphrase && inUse.key.passphraseCommand == nil
    guard storage != .file, !isPersonal else { return KeyAccess(storage) }
    return KeyAccess(storage) {
      await KeyReading(configuration: inUse.key, environment: environment).secret(of: storage)
    }
  }

  /// Gets what opens a key that is kept in a certain way.
  func secret(of storage: KeyStorage) async -> Result<SharedSecret, KeyUnavailableError> {
    switch storage {
    case .file: .failure(KeyUnavailableError("a key file opens by itself"))
    case .credential: Result { () throws(KeyUnavailableError) in try credential() }
    case .command:
      await output(
        of: configuration.command, called: "keyCommand",
        otherwise: "printed no key of TokenVault; make one: tokenvault-host new-key"
      ) { bytes throws(SecureStoreError) in try KeyText.parse(bytes) }
    case .passphrase:
      await output(
        of: configuration.passphraseCommand, called: "passphraseCommand",
        otherwise: "printed no passphrase"
      ) { bytes throws(SecureStoreError) in try KeyText.passphrase(bytes) }
    }
  }

  private func credential() throws(KeyUnavailableError) -> SharedSecret {
    let name = configuration.credential
    guard let directory = environment.absolutePath("CREDENTIALS_DIRECTORY") else {
      throw KeyUnavailableError(
        "CREDENTIALS_DIRECTORY is not set: the service needs LoadCredentialEncrypted=\(name)")
    }
    do {
      let bytes = try PrivateFile.read(path: directory + "/" + name, sizeLimit: KeyText.sizeLimit)
      guard let key = try KeyText.parse(bytes) else {
        throw KeyUnavailableError(
          "the credential \(name) holds no key of TokenVault; make one: tokenvault-host new-key")
      }
      return key
    } catch let error as KeyUnavailableError {
      throw error
    } catch let error as FileError {
      throw KeyUnavailableError("the credential \(name): \(error)")
    } catch {
      throw KeyUnavailableError("\(error)")
    }
  }

  // It blocks for as long as the command takes.
  private func output(
    of command: [String]?, called name: String, otherwise complaint: String,
    _ parse: @escaping @Sendable ([UInt8]) throws(SecureStoreError) -> SharedSecret?
  ) async -> Result<SharedSecret, KeyUnavailableError> {
    guard let command else {
      return .failure(
        KeyUnavailableError("\(name) is not named in the configuration any more; put it back"))
    }
    do {
      return try await DedicatedThread.value(of: "key-command") {
        KeyReading.run(command, called: name, otherwise: complaint, parse)
      }
    } catch {
      return .failure(KeyUnavailableError("no thread for \(name): \(error)"))
    }
  }

  private static func run(
    _ command: [String], called name: String, otherwise complaint: String,
    _ parse: ([UInt8]) throws(SecureStoreError) -> SharedSecret?
  ) -> Result<SharedSecret, KeyUnavailableError> {
    do {
      let bytes = try ChildProcess.withOutput(
        of: command, limit: KeyText.sizeLimit, timeout: patience
      ) { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
      guard let secret = try parse(bytes) else {
        return .failure(KeyUnavailableError("\(name): \(command.first ?? "") \(complaint)"))
      }
      return .success(secret)
    } catch {
      return .failure(KeyUnavailableError("\(name): \(error)"))
    }
  }
}

extension KeyConfiguration.Storage {
  /// What the store calls it.
  var kept: KeyStorage {
    switch self {
    case .file: .file
    case .command: .command
    case .credential: .credential
    case .passphrase: .passphrase
    }
  }
}
