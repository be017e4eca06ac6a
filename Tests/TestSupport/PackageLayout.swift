/// Where the package's own files and its built programs are.
package enum PackageLayout {
  /// The package's directory, from the place of this source file.
  package static let root: String = {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
    return parts.dropLast(3).joined(separator: "/")
  }()

  /// The directory of the built programs: that of the running test bundle.
  ///
  /// `$TOKENVAULT_PRODUCTS` names another one, such as an installed tree.
  package static let products: String = {
    if let given = Environment.value("TOKENVAULT_PRODUCTS") { return given }
    let executable = SymbolicLink.target("/proc/self/exe") ?? "\(root)/.build/debug/tests"
    return executable.split(separator: "/", omittingEmptySubsequences: false)
      .dropLast().joined(separator: "/")
  }()

  /// Returns the path of a built program.
  package static func product(_ name: String) -> String { "\(products)/\(name)" }

  /// The library for other languages, which `make library` builds.
  ///
  /// `$TOKENVAULT_LIBRARY` names another one; nil where it says `skip`.
  package static let library: String? = {
    let given = Environment.value("TOKENVAULT_LIBRARY")
    return given == "skip" ? nil : given ?? "\(root)/.build/library/release/libtokenvault-c.so"
  }()
}
