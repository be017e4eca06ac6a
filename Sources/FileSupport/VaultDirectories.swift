import Glibc

/// Where the parts of a vault are, as the environment says.
package struct VaultDirectories: Sendable, Hashable {
  /// Where snapshots, keys of access groups and the control socket may be, the best place first.
  package let runtimeCandidates: [String]
  /// Where the host keeps its canonical state; nil without `HOME`.
  package let state: String?
  /// Where the host keeps its master key, apart from the state; nil without `HOME`.
  package let keys: String?
  /// The runtime directory of a system service, where readers look last; nil where they are told of
  /// another.
  package let systemDirectory: String?
  /// Whether a host with these directories is a system service, whose readers are other users.
  package let isSystemService: Bool
  // What the system makes for a session and takes away after it: its absence says that there is no
  // session, and a directory made in its place would be hidden or removed by the next one.
  private let sessionCandidates: [String]

  /// Where a system service has its runtime directory (`RuntimeDirectory=tokenvault`).
  package static let systemService = "/run/tokenvault"

  /// The variables that the paths are derived from.
  package static let variables = [
    "HOME", "XDG_STATE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "TOKENVAULT_STATE_DIR",
    "TOKENVAULT_KEY_DIR", "TOKENVAULT_RUNTIME_DIR",
  ]

  /// The variables that are set to something else than an absolute path, and so count as unset.
  package static func relativeVariables(in environment: Environment) -> [String] {
    variables.filter { environment[$0] != nil && environment.absolutePath($0) == nil }
  }

  /// Derives the paths from an environment and a user.
  ///
  /// A directory that is named by a variable of TokenVault's own is the only candidate: nobody
  /// who names one wants another.
  /// - Parameters:
  ///   - environment: `variables`.
  ///   - user: the effective user.
  ///   - systemService: where a system service has its runtime directory.
  package init(
    environment: Environment, user: UInt32,
    systemService: String = VaultDirectories.systemService
  ) {
    let home = environment.absolutePath("HOME")
    let stateHome =
      environment.absolutePath("XDG_STATE_HOME") ?? home.map { $0 + "/.local/state" }
    state =
      environment.absolutePath("TOKENVAULT_STATE_DIR") ?? stateHome.map { $0 + "/tokenvault" }
    let dataHome = environment.absolutePath("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }
    keys =
      environment.absolutePath("TOKENVAULT_KEY_DIR") ?? dataHome.map { $0 + "/tokenvault/keys" }
    if let named = environment.absolutePath("TOKENVAULT_RUNTIME_DIR") {
      runtimeCandidates = [named]
      sessionCandidates = []
      isSystemService = named == systemService
      systemDirectory = isSystemService ? named : nil
    } else {
      var candidates: [String] = []
      if let runtime = environment.absolutePath("XDG_RUNTIME_DIR") {
        candidates.append(runtime + "/tokenvault")
      }
      let usual = "/run/user/\(user)/tokenvault"
      if !candidates.contains(usual) { candidates.append(usual) }
      sessionCandidates = candidates
      if let state { candidates.append(state + "/run") }
      runtimeCandidates = candidates
      isSystemService = false
      systemDirectory = systemService
    }
  }

  /// Creates or opens the runtime directory for the host: the first candidate that can be had.
  ///
  /// A candidate that exists but must not be trusted is an error and never passed over: a reader
  /// might find it. Missing parents are made, except where the system makes them for a session.
  /// - Throws: `FileError`.
  package func createRuntimeDirectory() throws(FileError) -> Directory {
    var reasons: [String] = []
    for candidate in runtimeCandidates {
      do {
        return try Directory.create(
          path: candidate, policy: isSystemService ? .serviceRuntime : .ownerOnly,
          makingParents: !sessionCandidates.contains(candidate))
      } catch {
        switch error {
        case .system(_, _, let number)
        where [ENOENT, EACCES, EPERM, EROFS, ENOTDIR].contains(number.rawValue):
          reasons.append(error.description)
        default: throw error
        }
      }
    }
    throw .noDirectory(purpose: "runtime", reasons: reasons)
  }

  /// Opens the runtime directory for a reader: the first candidate that exists.
  ///
  /// - Returns: nil when none exists, or when it is a system service's.
  /// One that belongs to somebody else, as after `su`, is passed over where another exists.
  /// - Throws: `FileError` when none can be used, but one exists; and for one that lets others in,
  ///   which is the host's own: elsewhere there would seem to be no snapshot and no host.
  package func openRuntimeDirectory() throws(FileError) -> Directory? {
    guard !isSystemService else { return nil }
    var failure: FileError?
    for candidate in runtimeCandidates {
      do {
        return try Directory.open(path: candidate, policy: .ownerOnly)
      } catch {
        if case .insecure(_, .mode) = error { throw error }
        if error.errno?.rawValue != ENOENT { failure = failure ?? error }
      }
    }
    if let failure { throw failure }
    return nil
  }

  /// Opens the runtime directory of a system service, to go through; its policy names its owner.
  ///
  /// Whoever owns it was given it by root, who alone can write to `/run`.
  /// - Returns: nil when there is none.
  /// - Throws: `FileError`.
  package func openSystemDirectory() throws(FileError) -> Directory? {
    guard let systemDirectory, let status = try? FileStatus(of: systemDirectory, in: AT_FDCWD),
      status.isDirectory
    else { return nil }
    return try Directory.open(
      path: systemDirectory, policy: .systemServiceTop(owner: status.owner), isPassage: true)
  }
}
