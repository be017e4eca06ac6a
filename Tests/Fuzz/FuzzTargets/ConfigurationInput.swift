import FileSupport
import HostConfiguration
import SessionModel

/// The input is a configuration file.
enum ConfigurationInput {
  private static let home = Environment(["HOME": "/nonexistent"])
  private static let service = Environment([
    "HOME": "/nonexistent", "TOKENVAULT_RUNTIME_DIR": "/run/tokenvault",
  ])

  static func digest(_ input: [UInt8]) throws(FuzzFinding) {
    // Either is as good for most of it, and both would take twice as long.
    let environment = input.count.isMultiple(of: 2) ? home : service
    let file: ConfigurationFile
    do {
      file = try ConfigurationFile.parse(input, path: "c.toml", environment: environment) { name in
        name.utf8.count.isMultiple(of: 2) ? .identifier(7) : .unknown
      }
    } catch {
      try demand(!error.lines.isEmpty, "an error says something")
      let isPrintable = error.lines.allSatisfy { line in
        line.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      }
      return try demand(isPrintable, "an error is printable")
    }
    let names = file.namespaces.map(\.namespace.name)
    try demand(Set(names).count == names.count, "each namespace is there once")
    try demand(file.namespaces(unchangedSince: file).count == names.count, "it is as it was")
  }
}
