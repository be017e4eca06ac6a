import Glibc

/// Threads of this process that are waiting in libcurl.
enum TransferThreads {
  /// The number of threads with the transfer's small stack.
  static var count: Int {
    guard let directory = unsafe opendir("/proc/self/task") else { return 0 }
    defer { unsafe closedir(directory) }
    var names = 0
    while let entry = unsafe readdir(directory) {
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        unsafe pointer.withMemoryRebound(to: CChar.self, capacity: 256) { pointer in
          unsafe String(cString: pointer)
        }
      }
      guard name.utf8.first != UInt8(ascii: ".") else { continue }
      guard let file = unsafe fopen("/proc/self/task/\(name)/comm", "r") else { continue }
      defer { unsafe fclose(file) }
      var bytes = [UInt8](repeating: 0, count: 32)
      let length = unsafe fread(&bytes, 1, bytes.count, file)
      if bytes[..<length].starts(with: "tv-transfer".utf8) { names += 1 }
    }
    return names
  }
}
