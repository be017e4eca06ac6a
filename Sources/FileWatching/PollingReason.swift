package import FileSupport

/// Why inotify cannot be used.
package enum PollingReason: Error, Sendable, Hashable, CustomStringConvertible {
  /// The directory is on a file system that changes elsewhere without events.
  case remoteFileSystem(path: String)
  /// The inotify descriptor would not fit into the `fd_set` of libinotifytools.
  case fdTooLarge(Int32)
  /// The user's limit of inotify instances is reached (`EMFILE`).
  case tooManyInstances
  /// The user's limit of inotify watches is reached (`ENOSPC`).
  case tooManyWatches
  /// The program was built without libinotifytools.
  case builtWithoutInotify
  /// Whoever asked for the watch wanted it so.
  case onRequest
  /// What has to be a directory is something else, such as a symbolic link.
  case notDirectory(path: String)
  /// The descriptor of libinotifytools was not found in `/proc/self/fd`.
  case descriptorNotFound
  /// A system call failed.
  case system(call: String, path: String, Errno)

  /// Whether trying again later can help.
  var mayPass: Bool {
    switch self {
    case .builtWithoutInotify, .onRequest, .descriptorNotFound: false
    default: true
    }
  }

  /// One sentence that names the thing and the mend.
  package var description: String {
    switch self {
    case .remoteFileSystem(let path):
      "\(path): on a network or FUSE file system, which reports no changes made elsewhere;"
        + " put it on a local one"
    case .fdTooLarge(let number):
      "too many files are open for libinotifytools, which takes descriptors below 1024, not"
        + " \(number); start watching before opening so many"
    case .tooManyInstances:
      "this user has no inotify instance left; raise fs.inotify.max_user_instances"
    case .tooManyWatches:
      "this user has no inotify watch left; raise fs.inotify.max_user_watches"
    case .builtWithoutInotify:
      "built without libinotifytools; build with the package trait Inotify"
    case .onRequest:
      "polling was asked for"
    case .notDirectory(let path):
      "\(path): not a directory; remove it"
    case .descriptorNotFound:
      "the inotify descriptor is not listed in /proc/self/fd; mount /proc"
    case .system(let call, let path, let number):
      "\(path): \(call): \(number)"
    }
  }
}
