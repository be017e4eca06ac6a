import TestSupport
import Testing

/// The four security facts, read from what was built.
@Suite(.timeLimit(.minutes(1))) struct LinkageTests {
  /// The static `tokenvault` with its symbols, which `make static` builds.
  static let staticReader =
    Environment.value("TOKENVAULT_STATIC")
    ?? "\(PackageLayout.root)/.build/static/release/tokenvault"

  @Test(.enabled(if: staticReader != "skip"))
  func theStaticReaderHoldsNothingThatReachesTheNetwork() async throws {
    let found = try await Self.symbols(
      "grep -E '^(sodium_init$|curl_(easy|multi)_|SSL_|EVP_|jose_|MHD_|gnutls_)'")
    #expect(found == ["sodium_init"])
  }

  @Test(.enabled(if: staticReader != "skip"))
  func wg04TheStaticReaderCannotNameARefreshTokenNorMakeASnapshot() async throws {
    let modules = ArrowTests.levels.dropFirst().joined().joined(separator: "|")
    // Demangled: a mangled name abbreviates the words that it has had before.
    let found = try await Self.symbols("swift demangle | grep -oE '\\b(\(modules))\\.' | sort -u")
    #expect(found.isSuperset(of: ["SecretMemory.", "VaultReader."]))
    #expect(found.intersection(ArrowTests.hostOnly.map { "\($0)." }) == [])
  }

  @Test(.enabled(if: staticReader != "skip"))
  func theStaticReaderNeedsNoLibrary() async throws {
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest("readelf", ["-ld", try Self.existing(Self.staticReader)]))
    #expect(result.output.contains("There is no dynamic section in this file."))
    #expect(!result.output.contains("INTERP"))
  }

  // What starts such threads is not there to be initialized when the program starts.
  @Test(.enabled(if: staticReader != "skip"))
  func theStaticReaderHoldsNothingOfLibdispatch() async throws {
    let found = try await Self.symbols(
      "grep -E '^(sodium_init|swift_task_create|_?dispatch_async)$'")
    #expect(found == ["sodium_init"])
  }

  @Test(.enabled(if: PackageLayout.library != nil))
  func theLibraryShowsWhatItsHeaderDeclaresAndNothingElse() async throws {
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest(
        "nm",
        [
          "-D", "--defined-only", "--extern-only", "--format=just-symbols",
          try Self.existing(try #require(PackageLayout.library)),
        ]))
    let shown = Set(result.output.split(separator: "\n").map(String.init))
    let header = try TestFile.text("\(PackageLayout.root)/Sources/CTokenVault/tokenvault.h")
    let declared = header.split(separator: "\n").filter { $0.first.map(\.isLetter) == true }
      .compactMap { line in
        line.split(separator: "(").first?.split { " *".contains($0) }.last.map(String.init)
      }.filter { $0.hasPrefix("tokenvault_") && header.contains("\($0)(") }
    #expect(declared.count > 20)
    #expect(shown == Set(declared.map { $0 + "@@TOKENVAULT_0" } + ["TOKENVAULT_0"]))
  }

  @Test(.enabled(if: PackageLayout.library != nil))
  func theLibraryNeedsLibsodiumAndTheSystemAlone() async throws {
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest("readelf", ["-d", try Self.existing(try #require(PackageLayout.library))]))
    let lines = result.output.split(separator: "\n")
    let needed = lines.filter { $0.contains("(NEEDED)") }.compactMap { line in
      line.split { "[]".contains($0) }.last.map { $0.prefix { $0 != "." } }
    }
    #expect(
      Set(needed).isSubset(of: [
        "libsodium", "libc", "libm", "libgcc_s", "libstdc++",
        "libjansson", "ld-linux-x86-64",
      ]))
    #expect(needed.contains("libsodium"))
    #expect(lines.contains { $0.contains("SONAME") && $0.contains("[libtokenvault.so.0]") })
    #expect(lines.contains { $0.contains("NODELETE") })
    let paths = lines.filter { $0.contains("RUNPATH") || $0.contains("RPATH") }
    #expect(paths.allSatisfy { $0.hasSuffix("[$ORIGIN]") }, "\(paths)")
  }

  @Test func theHostLinksCurlAndNotInotifyTools() async throws {
    let libraries = try await Self.libraries(of: PackageLayout.product("tokenvault-host"))
    #expect(libraries.contains { $0.hasPrefix("libcurl.so") })
    #expect(!libraries.contains { $0.hasPrefix("libinotifytools") })
  }

  @Test(arguments: ["tokenvault", "tokenvault-simulate", "terminal-panel"])
  func aReaderLinksNoNetworkLibrary(reader: String) async throws {
    let libraries = try await Self.libraries(of: PackageLayout.product(reader))
    #expect(libraries.contains { $0.hasPrefix("libc.so") })
    for prefix in ["libcurl", "libssl", "libcrypto", "libjose", "libmicrohttpd", "libgnutls"] {
      #expect(!libraries.contains { $0.hasPrefix(prefix) }, "\(prefix)")
    }
  }

  @Test(arguments: [
    "tokenvault", "tokenvault-host", "tokenvault-simulate", "terminal-panel",
    "development-provider",
  ])
  func noProgramLinksFoundation(program: String) async throws {
    let libraries = try await Self.libraries(of: PackageLayout.product(program))
    #expect(!libraries.isEmpty)
    for prefix in ["libFoundation", "lib_Foundation", "libdispatch_"] {
      #expect(!libraries.contains { $0.hasPrefix(prefix) }, "\(prefix)")
    }
  }

  /// The lines that a shell command makes of the static reader's symbols, one a line.
  private static func symbols(_ filter: String) async throws -> Set<String> {
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest(
        "sh",
        ["-c", "nm --format=just-symbols \"$1\" | \(filter)", "sh", try existing(staticReader)]))
    return Set(result.output.split(separator: "\n").map(String.init))
  }

  private static func libraries(of program: String) async throws -> [Substring] {
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest("ldd", [try existing(program)]))
    return result.output.split(separator: "\n").map { line in
      line.drop { $0 == "\t" || $0 == " " }.prefix { $0 != " " }
    }
  }

  private static func existing(_ path: String) throws -> String {
    try #require(
      TestFile.exists(path),
      "\(path) is not there: 'make static library' builds both")
    return path
  }
}
