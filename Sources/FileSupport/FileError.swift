import Glibc

/// Why a file or directory could not be used.
package enum FileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A system call failed.
  case system(call: String, path: String, Errno)
  /// The thing exists but must not be trusted as it is.
  case insecure(path: String, Insecurity)
  /// The file is longer than any valid one.
  case tooLarge(path: String, limit: Int)
  /// The lock is held by another process.
  case locked(path: String)
  /// It is there for others: for its owner and, where one is named, for the members of a Unix group.
  case notForThisUser(path: String, owner: UInt32, group: UInt32?)
  /// No directory of that kind could be had; each candidate with its reason.
  case noDirectory(purpose: String, reasons: [String])

  /// What makes a file or directory untrustworthy.
  package enum Insecurity: Sendable, Hashable {
    /// It belongs to this user instead of the expected one.
    case owner(UInt32, expected: UInt32)
    /// It belongs to this Unix group instead of the expected one.
    case group(UInt32, expected: UInt32)
    /// Its permission bits are these, and let others in; at most `allowed` is right.
    case mode(UInt32, allowed: UInt32)
    /// It is not a regular file, or not a directory, as expected.
    case kind(expected: String)
    /// It has more than one name (hard links).
    case linked
    /// A directory on the way to it can be written by everybody and is not sticky.
    case parentWritableByAll(String)
    /// A directory on the way to it belongs to another user, who can replace what is in it.
    case parentOwner(String, owner: UInt32)
  }

  /// The error number, where a system call failed.
  package var errno: Errno? {
    if case .system(_, _, let number) = self { number } else { nil }
  }

  /// What stands in the way, for whoever has to tell few kinds of failure apart.
  package enum Nature: Sendable, Hashable {
    /// A right is missing, or the thing must not be trusted as it is: a person mends it.
    case denied
    /// The thing is not what it has to be.
    case damaged
    /// The system could not do it; the number says why.
    case failed(Errno)
  }

  /// What stands in the way; readers' states and the programs' exit codes follow from it.
  package var nature: Nature {
    switch self {
    case .insecure, .notForThisUser: .denied
    case .tooLarge: .damaged
    case .system(_, _, let number): number.isDenial ? .denied : .failed(number)
    case .locked: .failed(Errno(rawValue: EAGAIN))
    case .noDirectory: .failed(Errno(rawValue: ENOENT))
    }
  }

  /// One sentence that names the thing and, where there is one, the mend.
  package var description: String { mend.map { problem + "; " + $0 } ?? problem }

  /// What is the matter with which thing.
  package var problem: String {
    switch self {
    case .system(let call, let path, let number):
      "\(path): \(call): \(number)"
    case .insecure(let path, .owner(let owner, let expected)):
      "\(path): belongs to user \(owner) instead of \(expected)"
    case .insecure(let path, .group(let group, let expected)):
      "\(path): belongs to Unix group \(group) instead of \(expected)"
    case .insecure(let path, .mode(let mode, _)): "\(path): mode \(octal(mode)) lets others in"
    case .insecure(let path, .kind(let expected)): "\(path): not \(expected)"
    case .insecure(let path, .linked): "\(path): has a second name (hard link)"
    case .insecure(let path, .parentWritableByAll(let parent)):
      "\(path): anybody can replace it, because \(parent) is writable by all"
    case .insecure(let path, .parentOwner(let parent, let owner)):
      "\(path): user \(owner) can replace it, because \(parent) belongs to that user"
    case .tooLarge(let path, let limit):
      "\(path): longer than \(limit) bytes"
    case .notForThisUser(let path, let owner, nil): "\(path): for user \(owner) alone"
    case .notForThisUser(let path, _, let group?):
      "\(path): for members of the Unix group \(UnixGroup.label(of: group)) alone"
    case .locked(let path):
      "\(path): in use by another process"
    case .noDirectory(let purpose, let reasons):
      "no \(purpose) directory can be used: " + reasons.joined(separator: "; ")
    }
  }

  /// What a person does about it, as the end of a sentence; nil where that depends.
  package var mend: String? {
    switch self {
    case .insecure(let path, .owner(_, let expected)):
      "if it is yours, run: sudo chown \(expected) '\(path)'; else use another directory"
    case .insecure(let path, .group(_, let expected)): "run: chgrp \(expected) '\(path)'"
    case .insecure(let path, .mode(_, let allowed)): "run: chmod \(octal(allowed)) '\(path)'"
    case .insecure(_, .kind): "move it away, or name another path"
    case .insecure(_, .linked): "remove it"
    case .insecure(_, .parentWritableByAll(let parent)): "run: chmod o-w '\(parent)'"
    case .insecure(_, .parentOwner): "use another directory"
    case .notForThisUser(_, _, nil):
      "have unixGroup name a Unix group for it in the configuration of the system's host"
    case .notForThisUser(_, _, let group?):
      "to become one, run: sudo usermod -a -G \(UnixGroup.label(of: group)) \"$(id -un)\","
        + " and log in again"
    case .system, .tooLarge, .locked, .noDirectory: nil
    }
  }
}

private func octal(_ mode: UInt32) -> String {
  let digits = String(mode & 0o7777, radix: 8)
  return String(repeating: "0", count: max(0, 4 - digits.utf8.count)) + digits
}
