import TestSupport

/// The targets that the manifest declares and their arrows, as SwiftPM itself reads them.
struct Manifest: Sendable {
  /// One declared target.
  struct Target: Sendable, CustomStringConvertible {
    let name: String
    let type: String
    let path: String
    let dependencies: [String]

    var description: String { name }

    /// Whether it exists for the tests alone.
    var isForTests: Bool { path.hasPrefix("Tests/") }
  }

  let targets: [Target]

  /// Everything that a target reaches over any number of arrows.
  func reach(of name: String) -> Set<String> {
    var reached: Set<String> = []
    var open = [name]
    while let next = open.popLast() {
      for dependency in self[next]?.dependencies ?? []
      where reached.insert(dependency).inserted {
        open.append(dependency)
      }
    }
    return reached
  }

  /// The target of that name.
  subscript(name: String) -> Target? { targets.first { $0.name == name } }

  /// The manifest, read once for all tests.
  static var declared: Manifest {
    get async throws { try await reading.value }
  }

  private static let reading = Task { try await read() }

  /// Reads the manifest with `swift package dump-package`.
  ///
  /// It gets a scratch directory of its own: that of the build is locked while the tests run.
  private static func read() async throws -> Manifest {
    try await withTemporaryDirectory { directory in
      let environment = [
        "PATH": Environment.searchPath, "HOME": Environment.value("HOME") ?? directory.path,
      ]
      let dump = try await ToolRunner.runSuccessfully(
        ToolRequest(
          "swift",
          [
            "package", "--package-path", PackageLayout.root, "--scratch-path", directory.path,
            "dump-package",
          ], environment: environment, limit: .seconds(120)))
      let table = try await ToolRunner.runSuccessfully(
        ToolRequest("jq", ["-r", rows], input: .text(dump.output)))
      return Manifest(targets: table.output.split(separator: "\n").map(target))
    }
  }

  private static let rows = """
    .targets[] | [.name, .type, .path, ([.dependencies[] | to_entries[0].value[0]] | join(" "))]
      | @tsv
    """

  private static func target(row: Substring) -> Target {
    let fields = row.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    return Target(
      name: fields[0], type: fields[1], path: fields[2],
      dependencies: fields[3].split(separator: " ").map(String.init))
  }
}
