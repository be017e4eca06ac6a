import TestSupport

/// What a program does to files, and what it discloses, as `strace -f -yy` has recorded it.
enum FileTrace {
  /// The calls that the log has to hold.
  static let calls =
    "openat,mkdir,mkdirat,write,pwrite64,writev,fsync,fdatasync,rename,renameat,renameat2,unlink,"
    + "unlinkat,sendto,sendmsg"

  /// Reads the operations on files below `home` from a log, in the order of their ends.
  ///
  /// Requests to a provider, and snapshots that are renamed into a place below `runtime`, are what
  /// is disclosed; nothing below `runtime` has to survive a power loss.
  static func operations(
    in log: String, home: String, runtime: String
  ) -> [CrashModel.Operation] {
    var begun: [Substring: Substring] = [:]
    return log.split(separator: "\n").compactMap { line in
      let thread = line.prefix { $0 != " " }
      let call = line.dropFirst(thread.count).drop { $0 == " " }
      if call.hasSuffix(unfinished) {
        begun[thread] = call.dropLast(unfinished.count)
        return nil
      }
      guard call.hasPrefix("<... ") else {
        return operation(call, home: home, runtime: runtime)
      }
      guard let begin = begun.removeValue(forKey: thread), let end = call.firstIndex(of: ">") else {
        return nil
      }
      return operation(begin + call[end...].dropFirst(), home: home, runtime: runtime)
    }
  }

  private static let unfinished = " <unfinished ...>"

  private static func operation(
    _ call: Substring, home: String, runtime: String
  ) -> CrashModel.Operation? {
    guard let open = call.firstIndex(of: "("), !call.contains("= -1 E") else { return nil }
    let name = call[..<open]
    let rest = call[call.index(after: open)...]
    if name.hasPrefix("send") || name.hasPrefix("write"), rest.contains("<TCP") {
      return .disclose("request")
    }
    let isNaming = !name.hasPrefix("write") && !name.hasPrefix("pwrite") && !name.hasPrefix("f")
    let paths = isNaming ? paths(in: rest) : [side(of: rest)].compactMap(\.self)
    guard let first = paths.first, first.hasPrefix(home) else { return nil }
    if first.hasPrefix(runtime) {
      return name.hasPrefix("rename") && paths.last?.hasSuffix("/session") == true
        ? .disclose("snapshot") : nil
    }
    switch name {
    case "openat": return rest.contains("O_CREAT") ? .create(first) : nil
    case "mkdir", "mkdirat": return .makeDirectory(first)
    case "write", "pwrite64", "writev": return .write(first)
    case "fsync", "fdatasync": return .synchronize(first)
    case "rename", "renameat", "renameat2": return .rename(first, to: paths[paths.count - 1])
    default: return .remove(first)
    }
  }

  /// The files that the arguments name: `3</home/a>, "b"` is `/home/a/b`.
  private static func paths(in arguments: Substring) -> [String] {
    var found: [String] = []
    var directory = ""
    for argument in arguments.split(separator: ", ") {
      if argument.hasPrefix("\"") {
        let name = argument.dropFirst().prefix { $0 != "\"" }
        found.append(name.hasPrefix("/") ? String(name) : directory + "/" + name)
      } else if let side = side(of: argument) {
        directory = side
      }
    }
    return found
  }

  /// The file behind a descriptor: `3</home/a>`.
  private static func side(of argument: Substring) -> String? {
    guard let start = argument.firstIndex(of: "<") else { return nil }
    return String(argument[argument.index(after: start)...].prefix { $0 != ">" })
  }
}
