import FileSupport
import SnapshotStore

/// Why a state cannot be simulated; the description is one sentence for a person.
public enum SimulationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A file or directory could not be used; the text names it and the reason.
  case storage(String)
  /// The directory holds something that is not of a simulation.
  case notSimulated(path: String)
  /// A host or another simulation uses the directory.
  case inUse(path: String)
  /// A right is missing; the text says for what.
  case privilege(String)
  /// Something that was given cannot be had; the text says why and what can.
  case unsuitable(String)

  /// What happened, to what, and what to do next.
  public var description: String {
    switch self {
    case .storage(let text), .privilege(let text), .unsuitable(let text): text
    case .notSimulated(let path):
      "\(path): holds what no simulation made, which is left alone; name a new directory"
    case .inUse(let path): "\(path): a host or another simulation uses it; end that first"
    }
  }

  /// A failure of the file system.
  init(_ error: FileError) {
    if case .locked(let path) = error {
      self = .inUse(path: path)
    } else {
      self = .storage(error.description)
    }
  }

  /// A failure of the host's own writer.
  init(_ error: SnapshotStoreError) {
    if case .file(let cause) = error {
      self.init(cause)
    } else {
      self = .storage(error.description)
    }
  }
}

/// Runs file operations whose errors become the simulation's.
///
/// - Throws: `SimulationError`.
func simulating<Result: ~Copyable>(
  _ body: () throws(FileError) -> Result
) throws(SimulationError) -> Result {
  do {
    return try body()
  } catch {
    throw SimulationError(error)
  }
}
