import FileSupport
import Glibc

/// Lists the inotify descriptors of this process (`/proc/self/fd`).
func inotifyDescriptors() -> Set<Int32> {
  guard let stream = unsafe opendir("/proc/self/fd") else { return [] }
  defer { unsafe closedir(stream) }
  var found: Set<Int32> = []
  while let entry = unsafe readdir(stream) {
    let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { field in
      unsafe field.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
    }
    guard let number = Int32(name) else { continue }
    if readSystemLink("/proc/self/fd/\(name)") == "anon_inode:inotify" { found.insert(number) }
  }
  return found
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
