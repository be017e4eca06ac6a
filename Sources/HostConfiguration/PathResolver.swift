import FileSupport

/// Turns the paths of a configuration into absolute ones.
struct PathResolver: Sendable {
  private let directory: String
  private let home: String?

  /// Makes a resolver.
  ///
  /// - Parameters:
  ///   - path: The configuration's path, beside which relative paths are looked for.
  ///   - environment: `HOME`, for what starts with `~/`.
  init(configuration path: String, environment: Environment) {
    let end = path.lastIndex(of: "/")
    directory = end.map { String(path[...$0]) } ?? "./"
    home = environment.absolutePath("HOME")
  }

  /// The absolute form of a path.
  ///
  /// - Parameter path: An absolute path, one that starts with `~/`, or one beside the file.
  /// - Returns: The path to open.
  func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    if path.hasPrefix("~/"), let home { return home + "/" + path.dropFirst(2) }
    return directory + path
  }
}
