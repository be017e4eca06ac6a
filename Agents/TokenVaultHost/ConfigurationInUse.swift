import FileSupport
import HostConfiguration
import HostControl
import SessionHost
import SessionModel
import Synchronization

/// The configuration that the host works by, and why a later one was refused.
final class ConfigurationInUse: Sendable {
  private struct State {
    var file: ConfigurationFile
    var refusal: [String] = []
  }

  /// Where the master key is kept as long as the host runs.
  let keyStorage: KeyConfiguration.Storage
  private let state: Mutex<State>

  init(_ file: ConfigurationFile) {
    keyStorage = file.key.storage
    state = Mutex(State(file: file))
  }

  /// What there is to say of it, the refusal of a later one first.
  var findings: [Finding] {
    refusals + ConfigurationExamination.findings(state.withLock { $0.file })
  }

  /// Why a later one is not in use.
  var refusals: [Finding] {
    state.withLock { $0.refusal }.map {
      Finding(
        "configuration", .problem, "not taken over: \($0)",
        mend: "mend it and reload the host (SIGHUP), which goes on with the one before")
    }
  }

  /// How many namespaces it has.
  var count: Int { state.withLock { $0.file.namespaces.count } }

  /// Tells a notifier what is configured.
  func configure(_ notifier: PersonNotifier?) {
    let file = state.withLock(\.file)
    notifier?.configure(Set(file.namespaces.map(\.namespace)), isEnabled: file.notifies)
  }

  /// What opens the master key.
  var key: KeyConfiguration { state.withLock { $0.file.key } }

  /// Whether the host locks with the person's session.
  ///
  /// Not before a key that does not open by itself is in use, which it is from the next start on.
  var locksWithSession: Bool { keyStorage != .file && key.locksWithSession }

  /// Goes over to another file.
  ///
  /// - Returns: The namespaces whose configuration is as it was.
  func replace(by file: ConfigurationFile) -> Set<Namespace> {
    let former = state.withLock { state in
      defer { state = State(file: file) }
      return state.file
    }
    return file.namespaces(unchangedSince: former)
  }

  /// Reads the file again.
  ///
  /// - Returns: The file, or nil and the reasons in `findings` where it cannot be used.
  func reread(environment: Environment) -> Result<ConfigurationFile, Refusal> {
    let path = state.withLock { $0.file.path }
    let lines: [String]
    do throws(ConfigurationError) {
      let file = try ConfigurationFile.load(path: path, environment: environment)
      if !file.isAbsent || state.withLock({ $0.file.isAbsent }) { return .success(file) }
      lines = ["\(path): there is no such file any more"]
    } catch {
      lines = error.lines
    }
    state.withLock { $0.refusal = lines }
    return .failure(Refusal(lines: lines))
  }

  /// Why a configuration was not taken over, a line each.
  struct Refusal: Error {
    let lines: [String]
  }
}
