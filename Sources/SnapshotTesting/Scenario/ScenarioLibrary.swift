import FileSupport
import Glibc

/// The scenarios that come with the programs: files in a directory beside them.
package struct ScenarioLibrary: Sendable {
  /// The directory; nil when none was found.
  package let directory: String?

  /// What a scenario's file name ends with.
  private static let suffix = ".scenario"
  private static let sizeLimit = 1 << 20

  /// Looks for the directory of a program's scenarios.
  ///
  /// - Parameter program: the path of the program: `PREFIX/bin/...` has them in
  ///   `PREFIX/share/tokenvault/scenarios`, a build has them in `Samples`.
  package init(besides program: String) {
    var parts = program.split(separator: "/").dropLast()
    var candidates: [String] = []
    candidates.append(
      "/"
        + (Array(parts.dropLast()) + ["share", "tokenvault", "scenarios"]).map(String.init)
        .joined(separator: "/"))
    while let last = parts.popLast() {
      guard last == ".build" else { continue }
      candidates.append(
        "/" + (parts + ["Samples", "scenarios"]).map(String.init).joined(separator: "/"))
      break
    }
    self.init(directories: candidates)
  }

  /// Takes the first of some directories that exists.
  package init(directories: [String]) {
    directory = directories.first { unsafe access($0, R_OK | X_OK) == 0 }
  }

  /// The names of the scenarios, sorted.
  package var names: [String] {
    guard let directory else { return [] }
    return systemDirectoryNames(directory).filter { $0.hasSuffix(Self.suffix) }
      .map { String($0.dropLast(Self.suffix.count)) }.sorted()
  }

  private func path(of name: String) -> String? {
    directory.map { $0 + "/" + name + Self.suffix }
  }

  /// Reads a scenario: a shipped one by its name, or any file by a path with a slash in it.
  ///
  /// - Parameter name: the name or the path.
  /// - Returns: the text and the scenario.
  /// - Throws: `ScenarioError` with what is wrong and what there is.
  package func scenario(_ name: String) throws(ScenarioError) -> (text: String, Scenario) {
    let path: String
    if name.contains("/") || name.hasSuffix(Self.suffix) {
      path = name
    } else if let shipped = self.path(of: name), unsafe access(shipped, F_OK) == 0 {
      path = shipped
    } else {
      let problem = StateTextError(unknown: name, among: names)
      throw ScenarioError(
        name: "scenario", line: 0,
        problem: problem.description + "; a file is named with its path, such as ./\(name)")
    }
    let bytes: [UInt8]
    do {
      bytes = try readSystemFile(path, limit: Self.sizeLimit)
    } catch {
      throw ScenarioError(name: "scenario", line: 0, problem: error.description)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw ScenarioError(name: path, line: 0, problem: "not a text in UTF-8")
    }
    return (text, try Scenario(parsing: text, named: path))
  }
}
