import FileSupport
import SessionModel
import SnapshotFormat
import Synchronization

/// What was found at a namespace's place when it was last looked at.
enum Finding: Sendable {
  /// No snapshot.
  case absent
  /// A snapshot that cannot be read.
  case failure(ReadFailure)
  /// A genuine snapshot; the newest one seen so far, should an older one have been put back.
  case snapshot(AcceptedSnapshot)
}

/// One namespace as a reader sees it; an unchanged look costs one `fstat(2)`.
final class SnapshotSlot: Sendable {
  private struct Held {
    var location: SnapshotLocation?
    var file: HeldFile?
    var finding = Finding.absent
    var newest: AcceptedSnapshot?
    var searched: Duration?
    // The file that was replaced. To close the last descriptor of a file that has no name any more
    // is to free it, for which nobody who waits for the lock should have to wait.
    var replaced: HeldFile?
  }

  /// The namespace.
  let namespace: Namespace
  private let context: ReaderContext
  private let held = Mutex(Held())

  /// Makes a slot that has not looked yet.
  init(_ namespace: Namespace, context: ReaderContext) {
    self.namespace = namespace
    self.context = context
  }

  /// Looks whether the snapshot has changed and says what is there now.
  func look(at now: ClockReading) -> Finding {
    let (finding, replaced) = held.withLock { held in
      refresh(&held, at: now)
      return (held.finding, held.replaced.take())
    }
    return withExtendedLifetime(replaced) { finding }
  }

  /// Looks, and says also whether a host runs; nil where nobody can tell.
  func lookWithPresence(at now: ClockReading) -> (finding: Finding, isHostRunning: Bool?) {
    let (finding, isHostRunning, replaced) = held.withLock { held in
      let known = held.file
      refresh(&held, at: now)
      let isHostRunning = hostPresence(at: held.location, now, isNew: held.file !== known)
      return (held.finding, isHostRunning, held.replaced.take())
    }
    return withExtendedLifetime(replaced) { (finding, isHostRunning) }
  }

  private func hostPresence(
    at location: SnapshotLocation?, _ now: ClockReading, isNew: Bool
  ) -> Bool? {
    // What must not be trusted, or cannot be opened, says nothing of a host either.
    guard let location else { return nil }
    if let runtime = location.runtime {
      return context.presence.isRunning(
        in: runtime, at: now.boot, lookInterval: context.clock.lookInterval, afterNewSnapshot: isNew
      )
    }
    // A system service's lock is not for everybody to look at: its deadline has to do.
    return location.group == nil ? false : nil
  }

  /// The path of the runtime directory that was looked into last; nil when none could be.
  var runtimeRead: String? {
    held.withLock { held in
      guard let location = held.location else { return nil }
      if let runtime = location.runtime { return runtime.path }
      return location.group == nil ? nil : context.search.directories.systemDirectory
    }
  }

  /// The runtime directory of the user's own host that was looked into last; nil for none.
  var ownRuntime: Directory? { held.withLock { $0.location?.runtime } }

  private func refresh(_ held: inout Held, at now: ClockReading) {
    if let file = held.file, file.isInPlace {
      // The directory may have been moved away or mounted over, which the file does not show.
      if let searched = held.searched, now.boot >= searched,
        now.boot - searched < context.clock.lookInterval
      {
        return
      }
    } else if held.file != nil, let directory = held.location?.namespace,
      open(in: directory, &held)
    {
      return
    }
    held.searched = now.boot
    do {
      held.location = try context.search.locate(namespace)
    } catch {
      held.location = nil
      held.file = nil
      held.finding = .failure(ReadFailure(error))
      return
    }
    guard let directory = held.location?.namespace, open(in: directory, &held) else {
      held.file = nil
      held.finding = .absent
      return
    }
  }

  /// Opens the snapshot of a directory; false when there is none.
  private func open(in directory: Directory, _ held: inout Held) -> Bool {
    do {
      guard
        let file = try directory.openFile(
          SnapshotLayout.session, sizeLimit: SnapshotLimits.fileLength)
      else { return false }
      if let known = held.file, known.isSame(as: file.status), known.isFinal { return true }
      let bytes = try file.read()
      held.finding = judge(bytes, in: directory, &held)
      held.replaced = held.file
      held.file = HeldFile(file, isFinal: held.finding.isFinal)
    } catch {
      held.file = nil
      held.finding = .failure(ReadFailure(error))
    }
    return true
  }

  private func judge(_ bytes: [UInt8], in directory: Directory, _ held: inout Held) -> Finding {
    let snapshot: Snapshot
    do {
      let unverified = try UnverifiedSnapshot(parsing: bytes)
      guard let group = held.location?.group else { return .absent }
      let key: GroupKey
      do {
        key = try context.keys.key(named: unverified.keyIdentifier, in: group)
      } catch {
        return .failure(error)
      }
      snapshot = try unverified.open(
        with: key, namespace: namespace, accessGroup: context.search.accessGroup)
    } catch {
      return .failure(
        ReadFailure(error, path: directory.path + "/" + SnapshotLayout.session))
    }
    let boot = context.boot.identifier
    if let newest = held.newest,
      !SnapshotOrder.isNewer(
        snapshot.header, than: newest.snapshot.header,
        in: boot ?? snapshot.header.published.bootIdentifier)
    {
      return .snapshot(newest)
    }
    let accepted = AcceptedSnapshot(snapshot, boot: boot)
    held.newest = accepted
    return .snapshot(accepted)
  }
}

extension Finding {
  /// Whether the same bytes will always say the same; a key may still come, or be let be read.
  fileprivate var isFinal: Bool {
    switch self {
    case .snapshot: true
    case .failure(let failure): failure.isOfBytes
    case .absent: false
    }
  }
}

/// The open file of the snapshot that was read last.
private final class HeldFile: Sendable {
  private let file: OpenFile
  /// Whether the file need not be read again while it stays.
  let isFinal: Bool

  init(_ file: consuming OpenFile, isFinal: Bool) {
    self.file = file
    self.isFinal = isFinal
  }

  /// Whether the file still has a name and its length; a replaced one has no links left.
  var isInPlace: Bool {
    guard isFinal, let status = try? file.currentStatus() else { return false }
    return status.linkCount > 0 && status.size == file.status.size
  }

  /// Whether a status is of this very file, unchanged in length.
  func isSame(as other: FileStatus) -> Bool {
    file.status.isSameFile(as: other) && file.status.size == other.size
  }
}
