package import FileSupport
import Glibc

/// The unit that starts a person's host, as far as the service manager would find it
/// (`systemd.unit(5)`, "User Unit Search Path").
package enum HostUnit: Sendable, Hashable {
  /// There is none.
  case missing
  /// There is one, at this path, which nothing starts by itself.
  case installed(String)
  /// There is one, at this path, which starts with the session or with the first caller.
  case enabled(String)
  /// There is one, at this path, and the program that it names cannot be run.
  case broken(String, program: String)

  /// The variables that the search path is made from.
  package static let variables = [
    "HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_DATA_DIRS", "XDG_RUNTIME_DIR",
  ]

  // What a person enables; each is started by the target that systemctl(1) links it from.
  private static let starts = [
    "default.target.wants/tokenvault-host.service", "sockets.target.wants/tokenvault-host.socket",
  ]
  private static let name = "tokenvault-host.service"
  private static let sizeLimit = 1 << 16

  /// Looks for the unit.
  ///
  /// - Parameters:
  ///   - environment: `variables`.
  ///   - system: the directories that are the same for every user.
  /// - Returns: what was found in the first directory that has it.
  package static func find(
    _ environment: Environment,
    system: [String] = [
      "/etc/systemd/user", "/run/systemd/user", "/usr/local/lib/systemd/user",
      "/usr/lib/systemd/user",
    ]
  ) -> HostUnit {
    let directories = directories(environment) + system
    guard let path = directories.map({ "\($0)/\(name)" }).first(where: exists) else {
      return .missing
    }
    if let program = program(of: path), unsafe access(program, X_OK) != 0 {
      return .broken(path, program: program)
    }
    let isEnabled = directories.contains { directory in
      starts.contains { exists("\(directory)/\($0)") }
    }
    return isEnabled ? .enabled(path) : .installed(path)
  }

  private static func directories(_ environment: Environment) -> [String] {
    let home = environment.absolutePath("HOME")
    let shared = environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share"
    let parents =
      [
        environment.absolutePath("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" },
        environment.absolutePath("XDG_RUNTIME_DIR"),
        environment.absolutePath("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" },
      ] + shared.split(separator: ":").filter { $0.hasPrefix("/") }.map(String.init)
    return parents.compactMap { $0.map { $0 + "/systemd/user" } }
  }

  // What is enabled is a link, which need not lead anywhere as seen from here.
  private static func exists(_ path: String) -> Bool {
    (try? FileStatus(of: path, in: AT_FDCWD)) != nil
  }

  private static func program(of unit: String) -> String? {
    guard let bytes = try? readSystemFile(unit, limit: sizeLimit) else { return nil }
    let setting = "ExecStart="
    let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
    let command = lines.first { $0.hasPrefix(setting) }?.dropFirst(setting.count)
    // What stands before the path changes how it is started (systemd.service(5)).
    let path = command?.drop { "@-:+!|".contains($0) }.prefix { $0 != " " }
    return path.flatMap { $0.hasPrefix("/") ? String($0) : nil }
  }
}
