import TestSupport
import Testing

/// The library for other languages that `make library` builds, and a program of the tests for it.
actor CLibrary {
  /// A language that the program is compiled as.
  enum Language: String, Sendable, CaseIterable {
    case c
    case cPlusPlus

    /// The compiler and what it is told.
    var command: [String] {
      switch self {
      case .c: ["cc", "-std=c17", "-xc"]
      case .cPlusPlus: ["c++", "-std=c++17", "-xc++"]
      }
    }
  }

  /// The library and the programs, for all tests.
  static let shared = CLibrary()

  /// Where the library is as it is installed.
  nonisolated let directory: TemporaryDirectory
  private var programs: [Language: Task<String, any Error>] = [:]
  private var installation: Task<Void, any Error>?

  private init() {
    do {
      directory = try TemporaryDirectory()
    } catch {
      fatalError("\(error)")
    }
  }

  /// Installs the library, once.
  func install() async throws {
    let task = installation ?? Task { try await Self.install(in: directory) }
    installation = task
    try await task.value
  }

  /// Returns the program, compiled once for each language.
  ///
  /// - Parameter language: the language.
  /// - Returns: the program's path.
  /// - Throws: when it cannot be compiled, or the library is not there.
  func program(in language: Language) async throws -> String {
    try await install()
    let program = programs[language] ?? Task { try await compile(in: language) }
    programs[language] = program
    return try await program.value
  }

  // Without its symbols, as it is installed; valgrind cannot read them.
  private static func install(in directory: TemporaryDirectory) async throws {
    let built = try #require(PackageLayout.library)
    try #require(
      TestFile.exists(built),
      "\(built) is not there: 'make library' builds it, TOKENVAULT_LIBRARY=skip goes without it")
    try await ToolRunner.runSuccessfully(
      ToolRequest("strip", ["-o", directory.file("libtokenvault.so.0"), built]))
    try directory.link("libtokenvault.so", to: "libtokenvault.so.0")
  }

  private func compile(in language: Language) async throws -> String {
    let program = directory.file("reader-\(language)")
    let root = PackageLayout.root
    let arguments =
      ["-Wall", "-Wextra", "-Werror", "-pedantic", "-pthread"]
      + ["-I\(root)/Sources/CTokenVault", "\(root)/Tests/VaultWatchingTests/C/reader.c"]
      + ["-o", program, "-L\(directory.path)", "-ltokenvault"]
    let command = language.command
    try await ToolRunner.runSuccessfully(
      ToolRequest(command[0], command.dropFirst() + arguments))
    return program
  }
}
