import TestSupport

/// The package's Swift files as text, for rules that no compiler checks.
enum SourceTree {
  /// One file of a module.
  struct File: Sendable, CustomStringConvertible {
    /// The path below the package's directory.
    let path: String
    let lines: [Substring]

    var description: String { path }

    /// The name without the way there.
    var name: String { path.split(separator: "/").last.map(String.init) ?? "" }

    /// The module that the file belongs to.
    var module: String { String(path.split(separator: "/").dropLast().dropFirst().first ?? "") }

    /// The modules that the file imports.
    var imports: [String] { lines.compactMap(SourceTree.imported) }

    /// The names of the types that the file declares, nested ones too.
    var declaredTypes: [Substring] { lines.compactMap(SourceTree.declared) }
  }

  /// The directories whose files are the product.
  static let product = ["Sources", "Agents", "Samples"]

  /// The Swift files below directories of the package, in order of their paths.
  static func swiftFiles(in directories: [String]) throws -> [File] {
    try directories.flatMap { try paths(below: $0) }.filter { $0.hasSuffix(".swift") }
      .map { path in
        let text = try TestFile.text("\(PackageLayout.root)/\(path)")
        return File(
          path: path, lines: text.split(separator: "\n", omittingEmptySubsequences: false))
      }
  }

  private static func paths(below directory: String) throws -> [String] {
    TestFile.names(in: "\(PackageLayout.root)/\(directory)").flatMap { name -> [String] in
      let path = "\(directory)/\(name)"
      let inner = (try? paths(below: path)) ?? []
      return inner.isEmpty ? [path] : inner
    }
  }

  private static let access: Set<Substring> = [
    "public", "package", "internal", "fileprivate", "private", "final", "indirect", "nonisolated",
  ]
  private static let importKinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
  ]
  private static let typeKinds: Set<Substring> = [
    "struct", "class", "enum", "protocol", "actor", "typealias",
  ]

  /// The words of a line without attributes and modifiers, or none for a comment.
  private static func words(_ line: Substring) -> ArraySlice<Substring> {
    line.split { $0 == " " || $0 == "\t" }.drop { $0.hasPrefix("@") || access.contains($0) }
  }

  private static func imported(_ line: Substring) -> String? {
    var words = words(line)
    guard words.popFirst() == "import" else { return nil }
    if let kind = words.first, importKinds.contains(kind) { words.removeFirst() }
    return words.first?.split(separator: ".").first.map(String.init)
  }

  private static func declared(_ line: Substring) -> Substring? {
    var words = words(line)
    guard let kind = words.popFirst(), typeKinds.contains(kind) else { return nil }
    return words.first?.prefix { $0.isLetter || $0.isNumber || $0 == "_" }
  }
}
