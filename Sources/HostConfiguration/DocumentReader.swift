import SessionModel

/// Reads the top level of a configuration.
struct DocumentReader {
  private var top: TableReader
  private let paths: PathResolver
  /// The tables of access groups, once everything was read.
  private(set) var accessGroups: [TOMLEntry] = []
  /// Whether people are to be notified, once everything was read; nil where nothing is said.
  private(set) var notifies: Bool?

  /// Makes a reader.
  ///
  /// - Parameters:
  ///   - entries: What the top level holds.
  ///   - findings: Where problems go.
  ///   - paths: What relative paths are relative to.
  init(entries: [TOMLEntry], findings: Findings, paths: PathResolver) {
    top = TableReader(
      name: "", entries: entries, position: TOMLPosition(line: 1, column: 1), findings: findings)
    self.paths = paths
  }

  /// Reads everything.
  ///
  /// - Returns: The namespaces that could be read, in the order of the file, and what holds for all.
  mutating func read() -> (namespaces: [NamespaceConfiguration], key: KeyConfiguration) {
    let key = KeyConfiguration(reading: &top)
    notifies = top.boolean("notifications")?.value
    let found = top.table("namespaces", example: "{}, or start with [namespaces.primary]")
    accessGroups =
      top.table("accessGroups", example: "{}, or start with [accessGroups.default]")?.members ?? []
    top.reportUnknownKeys { entry in
      guard case .table = entry.value.content, Namespace(entry.key) != nil else { return nil }
      return "write [namespaces.\(entry.key)]"
    }
    return ((found?.members ?? []).compactMap(read), key)
  }

  private func read(_ entry: TOMLEntry) -> NamespaceConfiguration? {
    guard case .table(let members) = entry.value.content else {
      top.findings.report(
        entry.position,
        "\(PrintableText.quoted(entry.key)) stands in [namespaces] itself; put it below a name,"
          + " such as [namespaces.primary]")
      return nil
    }
    guard let namespace = Namespace(entry.key) else {
      top.findings.report(
        entry.position,
        "the namespace name \(PrintableText.quoted(entry.key)) is not allowed; \(nameRule)")
      return nil
    }
    let table = TableReader(
      name: "namespaces.\(namespace.name)", entries: members, position: entry.position,
      findings: top.findings)
    var reader = NamespaceReader(namespace, table: table, paths: paths)
    return reader.read()
  }
}
