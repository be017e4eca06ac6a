import TestSupport
import Testing

/// The scripts behind `make`, on machines that are not like this one.
@Suite(.timeLimit(.minutes(1))) struct BuildScriptTests {
  private static let advice =
    "Install it from https://www.swift.org/install/linux/ and put its usr/bin into PATH."

  @Test func anAbsentToolchainIsSaidPlainly() async throws {
    let result = try await Self.run("toolchain", programs: [:])
    #expect(result.exit == .status(1))
    #expect(
      result.error
        == "The Swift toolchain is absent: there is no 'swift' in PATH. "
        + "TokenVault needs Swift 6.3 or newer. \(Self.advice)\n")
  }

  @Test(arguments: ["5.10.1", "6.2", "6.2.9"])
  func anOldToolchainIsNamedWithItsVersion(version: String) async throws {
    let result = try await Self.run("toolchain", programs: Self.swift(version))
    #expect(result.exit == .status(1))
    #expect(result.error.hasPrefix("The Swift toolchain is too old: /"))
    #expect(
      result.error.hasSuffix(
        "/swift is Swift \(version), and TokenVault needs Swift 6.3 or newer. \(Self.advice)\n"))
  }

  @Test(arguments: ["6.3", "6.3.1", "6.10", "7.0"])
  func aToolchainThatWillDoIsNotMentioned(version: String) async throws {
    let result = try await Self.run("toolchain", programs: Self.swift(version))
    #expect(result.exit == .status(0))
    #expect(result.error + result.output == "")
  }

  @Test func aSwiftThatIsNoCompilerIsNamed() async throws {
    let result = try await Self.run("toolchain", programs: ["swift": "exit 3"])
    #expect(result.exit == .status(1))
    #expect(result.error.contains("/swift does not say which version of Swift it is"))
  }

  @Test(arguments: [
    ("package func f() {}", true), ("/// Does it.\npackage func f() {}", false),
    ("/// Is it.\n@inlinable\n@safe public static let x = 1", false),
    ("  public private(set) var x = 1", true), ("  package(set) var x = 1", true),
    ("package import Glibc\npublic extension X {}\nfunc f() {}\n  private let x = 1", false),
    ("// Not for readers.\n  package static func < (a: X, b: X) -> Bool { true }", true),
  ])
  func whatOtherModulesSeeIsDocumented(source: String, isMissing: Bool) async throws {
    try await withTemporaryDirectory { directory in
      try directory.write(source + "\n", to: "File.swift")
      let result = try await ToolRunner.run(
        ToolRequest("\(PackageLayout.root)/.ci/documentation", [directory.path]))
      #expect(result.status == (isMissing ? 1 : 0), "\(result.error)")
      #expect(result.error.contains("says nothing of what it is for") == isMissing)
    }
  }

  @Test func nothingIsDoneWhenEveryPackageIsInstalled() async throws {
    let result = try await Self.run(
      "prerequisites", ["build", "test", "bench", "bars"],
      programs: [
        "apt-get": "exit 9", "id": "echo 1000",
        "dpkg-query": "shift 3; for name; do echo \"$name installed\"; done",
      ])
    #expect(result.exit == .status(0))
    #expect(result.error + result.output == "")
  }

  @Test func onlyWhatIsMissingIsAskedFor() async throws {
    // As dpkg-query does where it has never heard of a package: nothing for it, and a failure.
    let result = try await Self.run(
      "prerequisites", ["test"],
      programs: [
        "apt-get": "exit 9", "id": "echo 1000",
        "dpkg-query": """
        shift 3
        for name; do
          case $name in jq) ;; glewlwyd) echo "$name config-files" ;; *) echo "$name installed" ;; esac
        done
        exit 1
        """,
      ])
    #expect(result.exit == .status(1))
    #expect(
      result.error == """
        Missing Debian packages, and no sudo to install them.
        As root, run: apt-get install --no-install-recommends glewlwyd jq

        """)
  }

  @Test func missingPackagesAreInstalledOnceMoreAfterAnUpdateOfTheLists() async throws {
    let result = try await Self.run(
      "prerequisites", ["build"],
      programs: [
        "id": "echo 0",
        "dpkg-query": "shift 3; for name; do [ $name = make ] || echo \"$name installed\"; done",
        "apt-get": """
        echo "apt-get $*" >>"$LOG"
        case $* in *update*) : >"$LOG.updated" ;; *) [ -e "$LOG.updated" ] ;; esac
        """,
      ])
    #expect(result.exit == .status(0))
    #expect(result.output.hasPrefix("Installing from Debian: make\n"))
    let commands = result.output.split(separator: "\n").dropFirst().map { $0.split(separator: " ") }
    #expect(commands.map { $0[1] } == ["install", "update", "install"])
    #expect(commands.first?.last == "make")
  }

  @Test func aSystemWithoutAptIsToldWhatIsNeeded() async throws {
    let result = try await Self.run("prerequisites", ["build"], programs: [:])
    #expect(result.exit == .status(1))
    #expect(result.error.hasPrefix("This is not a Debian system (no apt-get): TokenVault can't"))
    #expect(result.error.contains("\nbinutils libcurl4-openssl-dev "))
    #expect(result.error.contains("PREREQUISITES=skip"))
  }

  private static func swift(_ version: String) -> [String: String] {
    ["swift": "echo 'Swift version \(version) (swift-\(version)-RELEASE)'; echo 'Target: any'"]
  }

  /// Runs a script of `.ci` where the search path holds a few tools and the given programs alone.
  ///
  /// What a program appends to the file `$LOG` is put behind the output.
  private static func run(
    _ script: String, _ arguments: [String] = [], programs: [String: String]
  ) async throws -> ToolResult {
    try await withTemporaryDirectory { directory in
      for tool in ["bash", "cat", "env", "head", "mktemp", "rm", "sed", "sort", "tr"] {
        try directory.link(tool, to: "/usr/bin/\(tool)")
      }
      for (name, body) in programs {
        try directory.write("#!/bin/bash\n\(body)\n", to: name, mode: 0o700)
      }
      let log = try directory.write("", to: "log")
      let result = try await ToolRunner.run(
        ToolRequest(
          "/bin/bash", ["\(PackageLayout.root)/.ci/\(script)"] + arguments,
          environment: ["PATH": directory.path, "LOG": log]))
      return ToolResult(
        exit: result.exit, isTimedOut: result.isTimedOut,
        outputBytes: result.outputBytes + (try directory.read("log")),
        errorBytes: result.errorBytes)
    }
  }
}
