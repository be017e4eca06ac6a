import TestSupport
import Testing

/// The units as `make install` writes them, judged by systemd's own tools, without a manager.
@Suite(.timeLimit(.minutes(2))) struct ServiceUnitTests {
  struct Units {
    let directory: TemporaryDirectory

    static let ofUsers = [
      "tokenvault-host.service", "tokenvault-host.socket", "tokenvault-token@.service",
      "tokenvault-token.socket",
    ]

    init() throws {
      directory = try TemporaryDirectory()
      let source = "\(PackageLayout.root)/Service"
      for (name, place) in Self.ofUsers.map({ ($0, "user") }) + [("tokenvault.service", "system")] {
        let text = try TestFile.text("\(source)/\(place)/\(name)")
        // The program has to exist; any will do.
        try directory.write(
          text.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.hasPrefix("ExecStart=@BIN@/") ? "ExecStart=/bin/true" : $0 }
            .joined(separator: "\n"), to: name)
      }
      _ = try directory.makeDirectory("runtime")
    }

    func addNamespaces() throws {
      _ = try directory.makeDirectory("tokenvault-host.service.d")
      try directory.write(
        TestFile.text("\(PackageLayout.root)/Service/user/namespaces.conf"),
        to: "tokenvault-host.service.d/namespaces.conf")
    }

    func analyze(_ words: String...) async throws -> ToolResult {
      try await ToolRunner.run(
        ToolRequest(
          "systemd-analyze", words,
          environment: [
            "PATH": Environment.searchPath, "HOME": directory.path,
            "XDG_RUNTIME_DIR": directory.file("runtime"),
          ]))
    }
  }

  // An unknown key is only printed: the exit code alone says nothing.
  @Test(arguments: Units.ofUsers, [false, true])
  func sv03TheUserUnitsHaveNothingThatSystemdDoesNotKnow(
    unit: String, isNamespaced: Bool
  ) async throws {
    let units = try Units()
    if isNamespaced { try units.addNamespaces() }
    let result = try await units.analyze("verify", "--user", units.directory.file(unit))
    #expect(result.output + result.error == "")
    #expect(result.status == 0)
  }

  @Test func sv03TheSystemsUnitHasNothingThatSystemdDoesNotKnow() async throws {
    let units = try Units()
    let result = try await units.analyze(
      "verify", "--man=no", units.directory.file("tokenvault.service"))
    #expect(result.output + result.error == "")
    #expect(result.status == 0)
  }

  @Test func sv03AnUnknownKeyIsSeen() async throws {
    let units = try Units()
    try units.directory.write("[Service]\nExecStart=/bin/true\nNoSuchKey=yes\n", to: "a.service")
    let result = try await units.analyze("verify", "--user", units.directory.file("a.service"))
    #expect((result.output + result.error).contains("NoSuchKey"))
  }

  @Test(arguments: [
    ("tokenvault-host.service", false, 65), ("tokenvault-host.service", true, 20),
    ("tokenvault.service", false, 17), ("tokenvault-token@.service", false, 65),
  ])
  func sv04TheUnitsExposeLittle(unit: String, isNamespaced: Bool, threshold: Int) async throws {
    let units = try Units()
    if isNamespaced { try units.addNamespaces() }
    let result = try await units.analyze(
      "security", "--offline=true", "--threshold=\(threshold)", units.directory.file(unit))
    #expect(result.status == 0, "\(result.output.suffix(100))\(result.error)")
    let stricter = try await units.analyze(
      "security", "--offline=true", "--threshold=1", units.directory.file(unit))
    #expect(stricter.status != 0, "the threshold is looked at")
  }

  @Test func theSystemsUnitGivesTheDirectoriesOfTheDesign() throws {
    let unit = try TestFile.text("\(PackageLayout.root)/Service/system/tokenvault.service")
    for line in [
      "User=tokenvault", "RuntimeDirectory=tokenvault", "RuntimeDirectoryMode=0711",
      "StateDirectoryMode=0700", "Environment=TOKENVAULT_RUNTIME_DIR=/run/tokenvault",
    ] { #expect(unit.contains("\n\(line)\n"), "\(line)") }
  }

  @Test func theUserUnitStartsWithoutAnyDirectoryOfTheHost() throws {
    let unit = try TestFile.text("\(PackageLayout.root)/Service/user/tokenvault-host.service")
    // What needs a user namespace would keep the host from making its own directories.
    for key in ["PrivateUsers", "ProtectSystem", "ProtectHome", "ReadWritePaths"] {
      #expect(!unit.contains("\n\(key)="), "\(key)")
    }
  }
}
