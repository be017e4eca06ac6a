import FileSupport
import Glibc
import SessionModel
import SnapshotFormat
import SnapshotStore

// What no host does: damage, and things that must not be trusted.
extension SimulatedStage {
  /// Damages what is published in a namespace, in one step.
  ///
  /// - Throws: `SimulationError`.
  mutating func damage(
    _ state: SimulatedState, in namespace: Namespace, _ moment: StageMoment
  ) throws(SimulationError) {
    if state == .wrongOwner, geteuid() != 0 {
      throw .privilege(
        "only root can give a file to another user; run this as root, or leave it out")
    }
    if state != .rolledBack {
      try ensureSession(in: namespace, moment)
      try ensureKey(in: namespace, moment)
    }
    switch state {
    case .rolledBack: try rollBack(namespace, moment)
    case .keyUnavailable:
      try simulating { () throws(FileError) in try groupDirectory().removeFile(SnapshotLayout.key) }
      // A reader that holds the snapshot would not look for the key.
      try put(try session(in: namespace, moment, with: try Self.anotherKey()), in: namespace)
    case .wrongKey:
      try put(try session(in: namespace, moment, with: try Self.anotherKey()), in: namespace)
    default:
      let key = try groupKey()
      let bytes =
        state == .unknownRecord
        ? try unknownRecord(in: namespace, moment, with: key)
        : try session(in: namespace, moment, with: key)
      try put(bytes, as: state, in: namespace)
    }
    shelves[namespace]?.file = nil
  }

  private mutating func ensureKey(
    in namespace: Namespace, _ moment: StageMoment
  ) throws(SimulationError) {
    let path = groupDirectoryPath + "/" + SnapshotLayout.key
    guard unsafe access(path, F_OK) != 0 else { return }
    try publish(.ok, in: namespace, moment, deadline: Self.heartbeat)
  }

  private var groupDirectoryPath: String {
    [runtime.path, SnapshotLayout.groups, accessGroup.name].joined(separator: "/")
  }

  private mutating func session(
    in namespace: Namespace, _ moment: StageMoment, with key: GroupKey
  ) throws(SimulationError) -> [UInt8] {
    guard
      let draft = sessionDraft(.ok, in: namespace, moment, deadline: Self.heartbeat)
    else { throw .unsuitable("\(namespace): there is no session") }
    return try sealed(draft, with: key)
  }

  private mutating func unknownRecord(
    in namespace: Namespace, _ moment: StageMoment, with key: GroupKey
  ) throws(SimulationError) -> [UInt8] {
    let times = PublicationMoment(now: moment.now, boot: moment.boot, validity: .zero)
    return try sealed(
      draft(
        .unknown(RecordKind(rawValue: 4096)), in: namespace, times, hostState: .ok,
        deadline: times.deadline(after: Self.heartbeat, boot: moment.now.boot)), with: key)
  }

  private mutating func rollBack(
    _ namespace: Namespace, _ moment: StageMoment
  ) throws(SimulationError) {
    var older = shelves[namespace]?.older
    if shelves[namespace]?.session == nil, let newest = shelves[namespace]?.newest {
      older = newest
    } else if older == nil {
      try ensureSession(in: namespace, moment)
      try publish(.ok, in: namespace, moment, deadline: Self.heartbeat)
      older = shelves[namespace]?.older
    }
    guard let older else { throw .unsuitable("\(namespace): there is no older snapshot") }
    // Whoever starts now cannot know better than to take it.
    tokens[older.token].withdrawal = nil
    try put(older.bytes, in: namespace)
  }

  private func put(
    _ bytes: [UInt8], as state: SimulatedState, in namespace: Namespace
  ) throws(SimulationError) {
    switch state {
    case .corrupt(let byte):
      guard bytes.indices.contains(byte) else {
        throw .unsuitable("the snapshot has the bytes 0 to \(bytes.count - 1), and no byte \(byte)")
      }
      var changed = bytes
      changed[byte] ^= 0x01
      try put(changed, in: namespace)
    case .truncated(let count):
      guard (0..<bytes.count).contains(count) else {
        throw .unsuitable("the snapshot has \(bytes.count) bytes, which is no more than \(count)")
      }
      try put(Array(bytes[..<count]), in: namespace)
    case .futureVersion:
      var changed = bytes
      changed[SnapshotLimits.magic.count] = UInt8(SnapshotLimits.formatVersion) + 1
      try put(changed, in: namespace)
    case .wrongMode(let mode):
      guard mode & 0o400 != 0, mode <= 0o7777, mode & ~0o600 != 0 else {
        throw .unsuitable(
          "a snapshot that its owner alone can read is right; take a mode like 0644")
      }
      try put(bytes, mode: mode, in: namespace)
    case .wrongOwner, .symbolicLink, .fifo: try replace(with: state, bytes, in: namespace)
    default: try put(bytes, in: namespace)
    }
  }

  private func put(
    _ bytes: [UInt8], mode: UInt32 = 0o600, in namespace: Namespace
  ) throws(SimulationError) {
    let directory = try directory(of: namespace)
    try simulating { () throws(FileError) in
      try directory.replaceFile(
        SnapshotLayout.session, with: bytes, durability: .volatile, mode: mode)
    }
  }

  /// Makes something beside the snapshot, and then takes the snapshot's place with it.
  private func replace(
    with state: SimulatedState, _ bytes: [UInt8], in namespace: Namespace
  ) throws(SimulationError) {
    let directory = try directory(of: namespace)
    let (name, descriptor) = (".session.simulated.tmp", directory.rawDescriptor)
    try simulating { () throws(FileError) in
      try directory.removeFile(name)
      let (call, result): (String, Int32)
      switch state {
      case .fifo: (call, result) = ("mkfifo", unsafe mkfifoat(descriptor, name, 0o600))
      case .symbolicLink:
        try runtime.replaceFile(Self.linked, with: bytes, durability: .volatile)
        let target = runtime.path + "/" + Self.linked
        (call, result) = ("symlink", unsafe symlinkat(target, descriptor, name))
      default:
        try directory.replaceFile(name, with: bytes, durability: .volatile)
        (call, result) = ("chown", unsafe fchownat(descriptor, name, Self.nobody, .max, 0))
      }
      guard result == 0 else {
        throw .system(call: call, path: directory.path + "/" + name, .current)
      }
      try directory.renameFile(name, to: SnapshotLayout.session)
    }
  }

  /// The snapshot that a symbolic link leads to.
  private static let linked = ".elsewhere"
  /// Whose files are nobody's.
  private static let nobody: UInt32 = 65_534
}
