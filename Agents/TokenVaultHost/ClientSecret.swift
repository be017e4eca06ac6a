import CommandRuntime
import FileSupport
import HostConfiguration
import OIDCClient

/// Reads a client secret (RFC 6749 2.3.1) from where the configuration says, each time anew.
enum ClientSecret {
  static func read(_ source: SecretSource) async throws(ClientSecretError) -> String {
    switch source {
    case .text(let text): return text.revealed
    case .file(let path): return try read(file: path)
    case .command(let command):
      let outcome: Result<String, ClientSecretError>
      do {
        // It blocks for as long as the command takes.
        outcome = try await DedicatedThread.value(of: "client-secret") { run(command) }
      } catch {
        throw ClientSecretError("no thread for clientSecretCommand: \(error)")
      }
      return try outcome.get()
    }
  }

  /// What keeps a secret from being read later, as far as that can be told now; no command is run.
  static func problem(_ source: SecretSource) -> ClientSecretError? {
    guard case .file(let path) = source else { return nil }
    do throws(ClientSecretError) {
      _ = try read(file: path)
      return nil
    } catch {
      return error
    }
  }

  private static func run(_ command: [String]) -> Result<String, ClientSecretError> {
    do {
      let text = try ChildProcess.withOutput(
        of: command, limit: 16 << 10, timeout: .seconds(30)
      ) { bytes in
        unsafe bytes.withUnsafeBytes { buffer in unsafe String(decoding: buffer, as: UTF8.self) }
      }
      return .success(withoutLineEnd(text))
    } catch {
      return .failure(ClientSecretError("clientSecretCommand: \(error)"))
    }
  }

  private static func read(file path: String) throws(ClientSecretError) -> String {
    do {
      let bytes = try PrivateFile.read(path: path, sizeLimit: 16 << 10)
      return withoutLineEnd(String(decoding: bytes, as: UTF8.self))
    } catch {
      throw ClientSecretError("clientSecretFile: \(error)")
    }
  }

  /// A text without the line ends behind it.
  static func withoutLineEnd(_ text: String) -> String {
    var text = text
    while text.last?.isNewline == true { text.removeLast() }
    return text
  }
}
