import TestSupport
import Testing

@Suite struct SourceRuleTests {
  /// The modules whose declarations widgets outside the package use.
  static let publicModules: Set<String> = [
    "SessionModel", "VaultReader", "VaultWatching", "StatusBar", "SnapshotTesting",
  ]

  @Test func noFileImportsFoundationOrDispatch() throws {
    let files = try SourceTree.swiftFiles(in: SourceTree.product + ["Tests"])
    #expect(files.count > 60)
    for file in files {
      for name in file.imports {
        #expect(!name.hasPrefix("Foundation") && name != "Dispatch", "\(file)")
      }
    }
  }

  @Test func eachCModuleIsImportedByTheFilesOfOneModule() throws {
    var importers: [String: Set<String>] = [:]
    for file in try SourceTree.swiftFiles(in: SourceTree.product + ["Tests"]) {
      for name in file.imports where ArrowTests.levels[0].contains(name) {
        importers[name, default: []].insert(file.module)
      }
    }
    for (library, modules) in importers {
      #expect(modules.count == 1, "\(library) <- \(modules)")
    }
    #expect(importers["CSodium"] == ["SecretMemory"])
    #expect(importers["CInotifyTools", default: ["FileWatching"]] == ["FileWatching"])
  }

  /// No two uses share a context, and each is in the table of fixed keys.
  @Test func cr18EveryDerivationContextIsListedOnce() throws {
    var uses: [String: [String]] = [:]
    for file in try SourceTree.swiftFiles(in: SourceTree.product) {
      for line in file.lines where !line.drop(while: { $0 == " " }).hasPrefix("//") {
        for text in line.split(separator: "\"", omittingEmptySubsequences: false)
        where text.hasPrefix("TV") && text.count > 2
          && text.dropFirst(2).allSatisfy(\.isLowercase)
        {
          uses[String(text), default: []].append(file.name)
        }
      }
    }
    // A second use in another place would show, be it of the same module.
    #expect(
      uses == [
        "TVstores": ["StoreRekeying.swift", "StoreRekeying.swift", "StateDirectory.swift"],
        "TVboxmas": ["SessionLoader.swift"],
        "TVfprmas": ["SessionLoader.swift", "StateDirectory.swift", "StateDirectory.swift"],
        "TVlatchk": ["SessionLoader.swift", "StateDirectory.swift", "StateDirectory.swift"],
        "TVhostbx": ["HostKeys.swift"],
        "TVaccfpr": ["HostKeys.swift"],
      ])
    #expect(uses.keys.allSatisfy { $0.utf8.count == 8 })
  }

  @Test func noFileIsLongerThanFourHundredLines() throws {
    for file in try SourceTree.swiftFiles(in: SourceTree.product + ["Tests"]) {
      // The line feed at the end makes one empty piece.
      #expect(file.lines.count - 1 <= 400, "\(file)")
    }
  }

  @Test func eachFileOfASampleHasFewerThan120Lines() throws {
    let files = try SourceTree.swiftFiles(in: ["Samples"])
    #expect(files.count > 3)
    for file in files { #expect(file.lines.count - 1 < 120, "\(file)") }
    // Those in Python and in a shell, too, which have a name without an ending or `.py`.
    let root = PackageLayout.root + "/Samples"
    var scripts: [String] = []
    for sample in TestFile.names(in: root) where sample != "demo" {
      for name in TestFile.names(in: "\(root)/\(sample)") where !name.hasPrefix("_") {
        let path = "\(root)/\(sample)/\(name)"
        guard name.hasSuffix(".py") || (try? TestFile.text(path).hasPrefix("#!")) == true else {
          continue
        }
        scripts.append(name)
        let lines = try TestFile.text(path).split(
          separator: "\n", omittingEmptySubsequences: false)
        #expect(lines.count - 1 < 120, "\(path)")
      }
    }
    #expect(scripts.count > 10, "\(scripts)")
  }

  @Test func noTypeSharesItsModulesName() throws {
    let files = try SourceTree.swiftFiles(in: SourceTree.product)
    #expect(files.contains { $0.declaredTypes.contains("StoredSessionV1") })
    for file in files {
      #expect(!file.declaredTypes.contains { $0 == file.module }, "\(file)")
    }
  }

  @Test func onlyTheModulesForWidgetsDeclareAnythingPublic() throws {
    let files = try SourceTree.swiftFiles(in: SourceTree.product)
    for file in files where !Self.publicModules.contains(file.module) {
      for line in file.lines {
        #expect(line.split(separator: " ").first != "public", "\(file): \(line)")
      }
    }
  }

  @Test func samplesUseWhatAnyWidgetCanUse() throws {
    let files = try SourceTree.swiftFiles(in: ["Samples"])
    #expect(!files.isEmpty)
    for file in files {
      for name in file.imports {
        #expect(Self.publicModules.contains(name) || name == "Glibc", "\(file): \(name)")
      }
    }
  }

  @Test func checksAreSwitchedOffOnlyBesideC() throws {
    for file in try SourceTree.swiftFiles(in: SourceTree.product) {
      let isOwnerOfC = file.imports.contains { ArrowTests.levels[0].contains($0) || $0 == "Glibc" }
      for line in file.lines where !isOwnerOfC {
        #expect(!line.contains("@unchecked Sendable"), "\(file)")
        #expect(!line.contains("nonisolated(unsafe)"), "\(file)")
      }
    }
  }
}
