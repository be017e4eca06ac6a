import Glibc

/// Unix groups (`group(5)`) as programs without the name service know them.
package enum UnixGroup {
  /// What people call a group: its name in `/etc/group`, else its number.
  ///
  /// Read from the file, because a static program cannot ask the name service.
  package static func label(of identifier: UInt32) -> String {
    guard let bytes = try? readSystemFile("/etc/group", limit: 1 << 20) else {
      return "\(identifier)"
    }
    return name(of: identifier, in: bytes) ?? "\(identifier)"
  }

  /// Finds the name of a group in the text of `/etc/group`: `name:password:number:members`.
  package static func name(of identifier: UInt32, in file: [UInt8]) -> String? {
    for line in file.split(separator: UInt8(ascii: "\n")) {
      let fields = line.split(
        separator: UInt8(ascii: ":"), maxSplits: 3, omittingEmptySubsequences: false)
      guard fields.count >= 3, UInt32(String(decoding: fields[2], as: UTF8.self)) == identifier
      else { continue }
      // Nothing else may come into a command that a person is told to run.
      let isName = fields[0].allSatisfy {
        (0x61...0x7A).contains($0 | 0x20) || (0x30...0x39).contains($0) || "._-".utf8.contains($0)
      }
      if isName, !fields[0].isEmpty { return String(decoding: fields[0], as: UTF8.self) }
    }
    return nil
  }
}
