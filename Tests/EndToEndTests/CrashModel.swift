/// A file system that promises what POSIX does and no more, and all that a power loss can leave of it.
///
/// Until `fsync(2)` of a file its bytes may be lost; until `fsync(2)` of a directory each change of
/// its names may be lost or kept, in any combination.
struct CrashModel {
  /// One operation, as it was recorded.
  enum Operation: Sendable, Equatable {
    /// `mkdir(2)`.
    case makeDirectory(String)
    /// `open(2)` with `O_CREAT`.
    case create(String)
    /// `write(2)` to an open file.
    case write(String)
    /// `rename(2)`.
    case rename(String, to: String)
    /// `unlink(2)`.
    case remove(String)
    /// `fsync(2)` of a file or a directory.
    case synchronize(String)
    /// Something that the outside sees and that relies on what was renamed into place before.
    case disclose(String)
  }

  private struct Change {
    let directory: Substring
    var removed: String?
    var added: (path: String, file: Int)?
  }

  private var files: [(isWhole: Bool, isDirectory: Bool)] = []
  private var names: [String: Int] = [:]
  private var durable: [String: Int] = [:]
  private var pending: [Change] = []
  /// The files that were renamed into their places, by their paths.
  private(set) var targets: [String: Int] = [:]
  /// What the outside may rely on already, by path.
  private var promised: Set<String> = []
  /// What a power loss at some moment would have broken.
  private(set) var faults: Set<String> = []
  /// How many states after a power loss were looked at.
  private(set) var states = 0

  /// Runs operations and looks at every state that a power loss after each of them could leave.
  static func run(_ operations: [Operation]) -> CrashModel {
    var model = CrashModel()
    for (index, operation) in operations.enumerated() {
      model.apply(operation)
      model.look(after: "\(index): \(operation)", isDisclosure: operation.isDisclosure)
    }
    return model
  }

  private mutating func apply(_ operation: Operation) {
    switch operation {
    case .makeDirectory(let path): add(path, isDirectory: true)
    case .create(let path): add(path, isDirectory: false)
    case .write(let path):
      if let file = names[path] { files[file].isWhole = false }
    case .rename(let path, let newPath):
      guard let file = names.removeValue(forKey: path) else { return }
      names[newPath] = file
      targets[newPath] = file
      pending.append(
        Change(directory: Self.directory(of: newPath), removed: path, added: (newPath, file)))
    case .remove(let path):
      guard names.removeValue(forKey: path) != nil else { return }
      targets[path] = nil
      promised.remove(path)
      pending.append(Change(directory: Self.directory(of: path), removed: path))
    case .synchronize(let path):
      if let file = names[path] { files[file].isWhole = true }
      for change in pending where change.directory == path { Self.apply(change, to: &durable) }
      pending.removeAll { $0.directory == path }
    case .disclose: promised.formUnion(targets.keys)
    }
  }

  private mutating func add(_ path: String, isDirectory: Bool) {
    guard names[path] == nil else { return }
    files.append((isWhole: isDirectory, isDirectory: isDirectory))
    names[path] = files.count - 1
    pending.append(
      Change(directory: Self.directory(of: path), added: (path, files.count - 1)))
  }

  private mutating func look(after moment: String, isDisclosure: Bool) {
    for subset in 0..<(1 << min(pending.count, 12)) {
      states += 1
      var left = durable
      for (bit, change) in pending.enumerated() where subset >> min(bit, 11) & 1 == 1 {
        Self.apply(change, to: &left)
      }
      for (path, newest) in targets {
        guard let file = left[path], isReachable(path, in: left) else {
          if promised.contains(path) { faults.insert("\(moment): \(path) may be gone") }
          continue
        }
        if !files[file].isWhole { faults.insert("\(moment): \(path) may be torn") }
        if isDisclosure, file != newest { faults.insert("\(moment): \(path) may be an old one") }
      }
    }
  }

  // The directories that were there before are beyond doubt.
  private func isReachable(_ path: String, in left: [String: Int]) -> Bool {
    var parent = Self.directory(of: path)
    while !parent.isEmpty {
      if names[String(parent)] != nil, left[String(parent)] == nil { return false }
      parent = Self.directory(of: parent)
    }
    return true
  }

  private static func apply(_ change: Change, to names: inout [String: Int]) {
    if let removed = change.removed { names[removed] = nil }
    if let added = change.added { names[added.path] = added.file }
  }

  private static func directory(of path: some StringProtocol) -> Substring {
    let text = Substring(path)
    return text.lastIndex(of: "/").map { text[..<$0] } ?? ""
  }
}

extension CrashModel.Operation {
  var isDisclosure: Bool { if case .disclose = self { true } else { false } }

  /// The directory or file that is made durable.
  var synchronized: String? { if case .synchronize(let path) = self { path } else { nil } }
}
