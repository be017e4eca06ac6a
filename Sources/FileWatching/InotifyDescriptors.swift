import FileSupport

/// Lists the inotify descriptors of this process (`/proc/self/fd`).
func inotifyDescriptors() -> Set<Int32> {
  let numbers = systemDirectoryNames("/proc/self/fd").compactMap { Int32($0) }
  return Set(numbers.filter { readSystemLink("/proc/self/fd/\($0)") == "anon_inode:inotify" })
}

/// Lists the watch descriptors of an inotify descriptor (`inotify wd:` in `/proc/self/fdinfo`).
func watchDescriptors(of descriptor: Int32) -> Set<Int32> {
  let path = "/proc/self/fdinfo/\(descriptor)"
  guard let bytes = try? readSystemFile(path, limit: 1 << 20) else { return [] }
  var watches: Set<Int32> = []
  let prefix = "inotify wd:"
  for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n")
  where line.hasPrefix(prefix) {
    let digits = line.dropFirst(prefix.utf8.count).prefix { $0 != " " }
    if let watch = Int32(digits, radix: 16) { watches.insert(watch) }
  }
  return watches
}
