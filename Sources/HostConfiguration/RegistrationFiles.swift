package import FileSupport
import Glibc
package import SessionModel

/// What is kept of a client's registration, beside the configuration and readable by nobody else.
package struct RegistrationFiles: Sendable {
  private static let sizeLimit = 1 << 20

  private let directory: Directory
  private let recordName: String
  /// The name of the file with the client secret, as the configuration beside it has it.
  package let secretName: String

  /// Opens the configuration's directory, made if it is missing.
  ///
  /// - Parameters:
  ///   - configuration: the path of the configuration.
  ///   - namespace: the namespace that the client is for.
  /// - Throws: `FileError`; others may read the directory's names, but not write there.
  package init(configuration: String, namespace: Namespace) throws(FileError) {
    let parent = configuration.utf8.lastIndex(of: UInt8(ascii: "/")).map { configuration[..<$0] }
    let path = parent.map { $0.isEmpty ? "/" : String($0) } ?? "."
    directory = try Directory.create(
      path: path,
      policy: AccessPolicy(owner: geteuid(), directoryMode: 0o755, fileMode: 0o600))
    recordName = "\(namespace)-registration.json"
    secretName = "\(namespace)-client-secret"
  }

  /// Where the provider's answer is kept.
  package var recordPath: String { directory.path + "/" + recordName }
  /// Where the client secret is kept.
  package var secretPath: String { directory.path + "/" + secretName }

  /// Shows that files can be kept, before there is anything that could be lost.
  ///
  /// - Returns: the file of an earlier registration that is in the way; nil where none is.
  /// - Throws: `FileError`.
  package func reserve() throws(FileError) -> String? {
    for (name, path) in [(recordName, recordPath), (secretName, secretPath)] {
      // An empty one is from a registration that was broken off.
      if let bytes = try directory.readFile(name, sizeLimit: Self.sizeLimit), !bytes.isEmpty {
        return path
      }
    }
    try directory.replaceFile(recordName, with: [], durability: .durable)
    return nil
  }

  /// Keeps a registration.
  ///
  /// - Parameters:
  ///   - record: the provider's answer.
  ///   - secret: the client secret, if there is one.
  /// - Throws: `FileError`.
  package func keep(record: [UInt8], secret: String?) throws(FileError) {
    if let secret {
      try directory.replaceFile(
        secretName, with: Array(secret.utf8) + [UInt8(ascii: "\n")], durability: .durable)
    }
    try directory.replaceFile(recordName, with: record, durability: .durable)
  }

  /// Takes back what `reserve` has made, where nothing was registered.
  package func release() {
    try? directory.removeFile(recordName)
  }
}
