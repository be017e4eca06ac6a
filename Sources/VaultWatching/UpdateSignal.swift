import FileWatching
import Synchronization

/// What whoever serves the watches leaves for whoever reads the updates.
final class UpdateSignal: Sendable {
  /// What there is to do.
  struct Content: Sendable {
    /// Whether the state has to be read.
    var isDue = false
    /// Whether what was told may not be visible yet and has to be read once more a little later.
    var isUncertain = false
    /// Whether the host may have ended, which shows only when its lock is asked for again.
    var isHostDoubtful = false
    /// How changes of each site are noticed.
    var modes: [WatchMode?]
    /// How many watches are not in place yet.
    var missing = 0
  }

  private let content: Mutex<Content>
  private let wake: @Sendable () -> Void

  /// Creates a signal.
  ///
  /// - Parameters:
  ///   - siteCount: how many sites there are.
  ///   - wake: called by whoever serves the watches, when there is something to do.
  init(siteCount: Int, wake: @escaping @Sendable () -> Void) {
    content = Mutex(Content(modes: Array(repeating: nil, count: siteCount)))
    self.wake = wake
  }

  /// Announces a watch, whose beginning is awaited before anything is read.
  func expectWatch() {
    content.withLock { $0.missing += 1 }
  }

  /// Takes back an announcement: the watch cannot be had.
  func giveUpWatch() {
    content.withLock { content in
      content.missing -= 1
      content.isDue = true
    }
  }

  /// Asks for a reading without any notice.
  func demand() {
    content.withLock { $0.isDue = true }
  }

  /// Takes in a notice of the watcher.
  ///
  /// - Parameters:
  ///   - notice: the notice.
  ///   - site: the number of the site that is watched; nil for a watch of a host's lock.
  func take(_ notice: WatchNotice, site: Int?) {
    content.withLock { content in
      content.isDue = true
      if let site { content.modes[site] = notice.mode }
      switch notice.event {
      case .began:
        content.missing -= 1
        // Whether the host's lock is held may have been asked before anybody watched it.
        if site == nil { content.isHostDoubtful = true }
      case .alarm, .modeChanged: break
      case .replaced, .removed, .overflow: content.isUncertain = true
      case .writerGone: content.isHostDoubtful = true
      }
    }
    wake()
  }

  /// Whether all watches are in place.
  var isComplete: Bool { content.withLock { $0.missing == 0 } }

  /// Takes what there is to do, if anything is and all watches are in place.
  func takeContent() -> Content? {
    content.withLock { content in
      guard content.isDue, content.missing == 0 else { return nil }
      let taken = content
      content.isDue = false
      content.isUncertain = false
      content.isHostDoubtful = false
      return taken
    }
  }
}
