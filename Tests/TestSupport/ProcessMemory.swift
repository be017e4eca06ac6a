internal import Glibc

/// The memory of another process, as its own user can read it in `/proc/PID/mem`.
package struct ProcessMemory: Sendable {
  private let regions: [[UInt8]]

  /// What no program needs: more address space than this is a sanitizer's shadow.
  private static let longest: UInt64 = 64 << 30

  /// Copies everything that is mapped privately and readable.
  ///
  /// - Throws: the call that failed, as when the process may not be looked into.
  package static func read(_ process: Int32) throws(SystemCallError) -> ProcessMemory {
    let maps = try TestFile.text("/proc/\(process)/maps")
    let path = "/proc/\(process)/mem"
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemCallError("open", path) }
    defer { close(descriptor) }
    var regions: [[UInt8]] = []
    for line in maps.split(separator: "\n") {
      let fields = line.split(separator: " ")
      guard fields.count > 1, fields[1].hasPrefix("r"), fields[1].hasSuffix("p"),
        !line.hasSuffix("[vvar]"), !line.hasSuffix("[vsyscall]")
      else { continue }
      let bounds = fields[0].split(separator: "-").compactMap { UInt64($0, radix: 16) }
      guard bounds.count == 2, bounds[1] - bounds[0] <= longest else { continue }
      var bytes = [UInt8](repeating: 0, count: Int(bounds[1] - bounds[0]))
      let count = unsafe pread(descriptor, &bytes, bytes.count, off_t(bounds[0]))
      if count > 0 { regions.append(Array(bytes[..<count])) }
    }
    return ProcessMemory(regions: regions)
  }

  /// How many bytes were read.
  package var count: Int { regions.reduce(0) { $0 + $1.count } }

  /// Whether the bytes occur in one of the regions.
  package func contains(_ bytes: [UInt8]) -> Bool {
    regions.contains { ByteSearch.finds(bytes, in: $0) }
  }
}

/// The search for bytes in bytes.
package enum ByteSearch {
  /// Whether some bytes occur in others.
  package static func finds(_ needle: [UInt8], in hay: [UInt8]) -> Bool {
    unsafe hay.withUnsafeBytes { hay in
      unsafe needle.withUnsafeBytes { needle in
        guard let first = unsafe needle.first, let sought = needle.baseAddress else { return false }
        guard var place = hay.baseAddress else { return false }
        let end = unsafe place + hay.count
        while unsafe end - place >= needle.count,
          let found = unsafe memchr(place, Int32(first), end - place - needle.count + 1)
        {
          if unsafe memcmp(found, sought, needle.count) == 0 { return true }
          unsafe place = UnsafeRawPointer(found) + 1
        }
        return false
      }
    }
  }
}
