import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3))) struct ArrowTests {
  /// Who may call whom: an arrow leads to a lower level, never sideways.
  static let levels: [[String]] = [
    [
      "CSodium", "CInotifyTools", "CCurl", "CJansson", "CJose", "CMicroHTTPD", "CQREncode",
      "CSystemd",
      "CTOML", "CLinux", "CTokenVault",
    ],
    ["SessionModel", "SecretMemory", "FileSupport", "StrictJSON", "JOSE", "LoopbackHTTP"],
    [
      "GrantModel", "HTTPExchange", "BrowserFlow", "SecureStore", "HostConfiguration",
      "SnapshotFormat", "FileWatching", "HostControl", "CommandRuntime", "SystemBus",
    ],
    ["OIDCClient", "SnapshotStore", "VaultReader"],
    [
      "SessionHost", "VaultWatching", "VaultReporting", "StatusBar", "SnapshotTesting",
      "DevelopmentProvider",
    ],
    [
      "TokenVaultHost", "TokenVaultCommand", "TokenVaultSimulate", "TerminalPanel",
      "DevelopmentProviderCommand", "CInterface",
    ],
  ]

  /// What only the host may reach: the network, the grants, the making of snapshots.
  static let hostOnly: Set<String> = [
    "GrantModel", "HTTPExchange", "BrowserFlow", "SecureStore", "HostConfiguration", "OIDCClient",
    "SnapshotStore", "SnapshotTesting", "SessionHost", "SystemBus", "LoopbackHTTP", "JOSE", "CCurl",
    "CJose",
    "CMicroHTTPD", "CSystemd", "CTOML",
  ]

  /// What reads snapshots, and therefore may not reach what only the host may.
  static let readers = [
    "VaultReader", "VaultWatching", "VaultReporting", "StatusBar", "TokenVaultCommand",
    "TerminalPanel", "CInterface",
  ]

  @Test func everyArrowLeadsDown() async throws {
    let manifest = try await Manifest.declared
    let level = Dictionary(
      uniqueKeysWithValues: Self.levels.enumerated().flatMap { number, names in
        names.map { ($0, number) }
      })
    #expect(manifest.targets.count > 40)
    for target in manifest.targets where !target.isForTests {
      guard let own = level[target.name] else {
        Issue.record("\(target) has no level: add it to the table in this test")
        continue
      }
      for dependency in target.dependencies {
        #expect(level[dependency, default: .max] < own, "\(target) -> \(dependency)")
      }
    }
    let declared = Set(manifest.targets.map(\.name))
    #expect(Set(level.keys).subtracting(declared) == [], "levels without a target")
  }

  @Test func everyArrowIsUsed() async throws {
    let files = try SourceTree.swiftFiles(in: SourceTree.product)
    for target in try await Manifest.declared.targets where !target.isForTests {
      let imports = Set(
        files.filter { $0.path.hasPrefix(target.path + "/") }.flatMap(\.imports))
      let unused = Set(target.dependencies).subtracting(imports)
      #expect(unused == [], "\(target) imports nothing of these")
    }
  }

  @Test func nothingOfTheProductReachesTheTests() async throws {
    let manifest = try await Manifest.declared
    for target in manifest.targets where !target.isForTests {
      #expect(!manifest.reach(of: target.name).contains("TestSupport"), "\(target)")
    }
  }

  @Test(arguments: ArrowTests.readers)
  func aReaderReachesNothingOfTheHost(reader: String) async throws {
    let reach = try await Manifest.declared.reach(of: reader)
    #expect(reach.contains("SnapshotFormat"))
    #expect(reach.intersection(Self.hostOnly) == [])
  }

  @Test func theHostDoesNotReachInotifyTools() async throws {
    let reach = try await Manifest.declared.reach(of: "TokenVaultHost")
    #expect(reach.contains("CCurl"))
    #expect(!reach.contains("CInotifyTools") && !reach.contains("FileWatching"))
  }

  @Test func readingAloneDoesNotReachInotifyTools() async throws {
    let reach = try await Manifest.declared.reach(of: "VaultReader")
    #expect(!reach.contains("CInotifyTools") && !reach.contains("FileWatching"))
  }

  @Test func theHostsRulesNameNoProvider() async throws {
    let reach = try await Manifest.declared.reach(of: "SessionHost")
    #expect(reach.contains("GrantModel"))
    #expect(reach.intersection(["OIDCClient", "HTTPExchange", "BrowserFlow", "CCurl"]) == [])
  }

  @Test func eachCModuleHasOneTargetThatMayImportIt() async throws {
    let manifest = try await Manifest.declared
    for library in Self.levels[0] {
      let importers = manifest.targets.filter { $0.dependencies.contains(library) }.map(\.name)
      #expect(importers.count == 1, "\(library) <- \(importers)")
    }
    #expect(manifest["FileWatching"]?.dependencies.contains("CInotifyTools") == true)
  }
}
