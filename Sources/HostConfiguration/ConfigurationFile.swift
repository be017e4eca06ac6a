package import FileSupport
import Glibc
package import SessionModel

/// The configuration as it was read, checked as a whole.
package struct ConfigurationFile: Sendable, Equatable {
  /// The largest file that is read.
  package static let sizeLimit = 1 << 20

  /// Where it was looked for.
  package let path: String
  /// Whether there is no file; the host then has nothing to do.
  package let isAbsent: Bool
  /// The namespaces, in the order of the file.
  package let namespaces: [NamespaceConfiguration]
  /// How the master key is kept.
  package let key: KeyConfiguration
  /// Whether the desktop tells a person what needs one.
  package let notifies: Bool
  /// The Unix group whose members read an access group, for each that has one.
  package let unixGroups: [AccessGroup: UInt32]
  /// What is not as it should be and stops nobody.
  package let warnings: [ConfigurationProblem]

  /// The namespace of a name.
  ///
  /// - Parameter namespace: The name.
  /// - Returns: Nil when the file does not have it.
  package subscript(_ namespace: Namespace) -> NamespaceConfiguration? {
    namespaces.first { $0.namespace == namespace }
  }

  /// The namespaces that are configured, and read, as they were.
  ///
  /// - Parameter former: The configuration before this one.
  /// - Returns: Those of this configuration.
  package func namespaces(unchangedSince former: ConfigurationFile) -> Set<Namespace> {
    let unchanged = namespaces.filter { namespace in
      former[namespace.namespace] == namespace
        && namespace.accessGroups.allSatisfy { unixGroups[$0] == former.unixGroups[$0] }
    }
    return Set(unchanged.map(\.namespace))
  }

  /// Reads the file.
  ///
  /// - Parameters:
  ///   - path: The file's path; a symbolic link is followed.
  ///   - environment: `HOME`, for paths that start with `~/`, and where the host works.
  /// - Returns: The configuration, empty and `isAbsent` when there is no file.
  /// - Throws: `ConfigurationError` with everything that is wrong.
  package static func load(
    path: String, environment: Environment
  ) throws(ConfigurationError) -> ConfigurationFile {
    let content: (bytes: [UInt8], status: FileStatus)?
    do {
      content = try read(path)
    } catch {
      throw .unreadable(error)
    }
    guard let content else {
      return ConfigurationFile(
        path: path, isAbsent: true, namespaces: [], key: KeyConfiguration(),
        notifies: false, unixGroups: [:], warnings: [])
    }
    return try parse(
      content.bytes, path: path, mode: content.status.permissions, environment: environment)
  }

  /// Reads a text as if it were a file's.
  ///
  /// - Parameters:
  ///   - bytes: The text.
  ///   - path: What errors call it.
  ///   - mode: The permission bits of the file.
  ///   - environment: `HOME`, for paths that start with `~/`, and where the host works.
  ///   - unixGroup: Looks a Unix group up by its name.
  /// - Returns: The configuration.
  /// - Throws: `ConfigurationError` with everything that is wrong.
  package static func parse(
    _ bytes: [UInt8], path: String, mode: UInt32 = 0o600, environment: Environment,
    unixGroup: @escaping (String) -> UnixGroupLookup = UnixGroupLookup.system
  ) throws(ConfigurationError) -> ConfigurationFile {
    let findings = Findings(path: path)
    var namespaces: [NamespaceConfiguration] = []
    var key = KeyConfiguration()
    var notifies = false
    var unixGroups: [AccessGroup: UInt32] = [:]
    do {
      let entries = try TOMLDocument.parse(bytes)
      var reader = DocumentReader(
        entries: entries, findings: findings,
        paths: PathResolver(configuration: path, environment: environment))
      (namespaces, key) = reader.read()
      let directories = VaultDirectories(environment: environment, user: geteuid())
      if directories.isSystemService, key.locksWithSession {
        findings.report(
          TOMLPosition(line: 0, column: 0),
          "\"lockWithSession\" is true, and the user of a system service has no session that could"
            + " be locked; remove it")
      }
      if directories.isSystemService, reader.notifies == true {
        findings.report(
          TOMLPosition(line: 0, column: 0),
          "\"notifications\" is true, and the user of a system service has no desktop; remove it")
      }
      notifies = reader.notifies ?? !directories.isSystemService
      let groups = AccessGroupReader(
        isSystemService: directories.isSystemService, lookUp: unixGroup, findings: findings)
      unixGroups = groups.read(reader.accessGroups, publishedTo: namespaces)
    } catch {
      findings.report(error.position, error.sentence)
    }
    if let error = findings.error { throw error }
    warnOfMode(mode, path: path, namespaces, findings)
    return ConfigurationFile(
      path: path, isAbsent: false, namespaces: namespaces, key: key, notifies: notifies,
      unixGroups: unixGroups, warnings: findings.warnings)
  }

  private static func warnOfMode(
    _ mode: UInt32, path: String, _ namespaces: [NamespaceConfiguration], _ findings: Findings
  ) {
    let whole = TOMLPosition(line: 0, column: 0)
    if mode & 0o020 != 0 {
      findings.warn(
        whole,
        "its group can write to it and so choose what the host runs; run: chmod g-w '\(path)'"
      )
    }
    let holdsSecret = namespaces.contains { namespace in
      if case .text = namespace.clientSecret { return true }
      return namespace.proxy?.revealed.contains("@") ?? false
    }
    if mode & 0o044 != 0, holdsSecret {
      findings.warn(
        whole, "others can read the secret in it; run: chmod 0600 '\(path)'")
    }
  }

  private static func read(
    _ path: String
  ) throws(FileError) -> (bytes: [UInt8], status: FileStatus)? {
    // Non-blocking, so that a FIFO in its place cannot hold up the start.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard number >= 0 else {
      let cause = Errno.current
      if cause.rawValue == ENOENT { return nil }
      throw .system(call: "open", path: path, cause)
    }
    let descriptor = FileDescriptor(owning: number)
    let status = try FileStatus.of(number, path: path)
    guard status.isRegularFile else {
      throw .insecure(path: path, .kind(expected: "a regular file"))
    }
    // Whoever writes it chooses the commands that the host runs.
    guard [geteuid(), 0].contains(status.owner) else {
      throw .insecure(path: path, .owner(status.owner, expected: geteuid()))
    }
    guard status.permissions & 0o002 == 0 else {
      throw .insecure(path: path, .mode(status.permissions, allowed: 0o600))
    }
    return (try readToEnd(of: descriptor.rawValue, limit: sizeLimit, path: path), status)
  }
}
