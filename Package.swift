// swift-tools-version: 6.2

import PackageDescription

// The arrows of this manifest are the architecture: a target may import only what it names here,
// and the build is run with `--explicit-target-dependency-import-check error`. Arrows point down,
// never sideways. The graph carries four security facts, asserted by Tests/PackageTests:
// only host-side code reaches the network, only it and the simulator make snapshots, no reader can
// name a refresh token, and libinotifytools (GPL-2) has one importer that the host does not link.

/// One of the project's own targets together with what it may import.
private func module(
  _ name: String, _ dependencies: [Target.Dependency] = [], path: String? = nil,
  exclude: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: path ?? "Sources/\(name)", exclude: exclude)
}

private func program(
  _ name: String, _ path: String, _ dependencies: [Target.Dependency]
) -> Target {
  .executableTarget(name: name, dependencies: dependencies, path: path)
}

private func tests(
  _ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], path: "Tests/\(name)",
    exclude: exclude)
}

private func library(_ name: String, pkgConfig: String) -> Target {
  .systemLibrary(name: name, path: "Sources/\(name)", pkgConfig: pkgConfig)
}

// Level 0: what Swift cannot call or express directly. Each has one Swift importer.
private let cLibraries: [Target] = [
  library("CSodium", pkgConfig: "libsodium"),
  .systemLibrary(name: "CInotifyTools", path: "Sources/CInotifyTools"),
  library("CCurl", pkgConfig: "libcurl"),
  library("CJansson", pkgConfig: "jansson"),
  library("CJose", pkgConfig: "jose"),
  library("CMicroHTTPD", pkgConfig: "libmicrohttpd"),
  library("CQREncode", pkgConfig: "libqrencode"),
  library("CSystemd", pkgConfig: "libsystemd"),
  .target(
    name: "CTOML", path: "Sources/CTOML",
    cxxSettings: [
      .define("TOML_HEADER_ONLY", to: "0"), .define("TOML_SHARED_LIB", to: "1"),
    ],
    linkerSettings: [.linkedLibrary("tomlplusplus")]),
  .target(name: "CLinux", path: "Sources/CLinux"),
  .systemLibrary(name: "CTokenVault", path: "Sources/CTokenVault"),
]

// Level 1: foundations.
private let foundations: [Target] = [
  module("SessionModel"),
  module("SecretMemory", ["CSodium"]),
  module("FileSupport", ["CLinux"]),
  module("StrictJSON", ["CJansson"]),
  module("JOSE", ["CJose"]),
  module("LoopbackHTTP", ["CMicroHTTPD"]),
]

// Level 2: formats, seams and single-purpose services.
private let services: [Target] = [
  module("GrantModel", ["SessionModel", "SecretMemory"]),
  module("HTTPExchange", ["SessionModel", "FileSupport", "CCurl"]),
  module("BrowserFlow", ["LoopbackHTTP", "SecretMemory", "SessionModel", "CQREncode"]),
  module("SecureStore", ["SessionModel", "SecretMemory", "FileSupport"]),
  module("HostConfiguration", ["CTOML", "SessionModel", "FileSupport"]),
  module(
    "SnapshotFormat", ["SessionModel", "SecretMemory", "StrictJSON"], exclude: ["FORMAT.md"]),
  module(
    "FileWatching",
    [.target(name: "CInotifyTools", condition: .when(traits: ["Inotify"])), "FileSupport"]),
  module("HostControl", ["SessionModel", "FileSupport", "StrictJSON"]),
  module("CommandRuntime", ["SessionModel", "FileSupport"]),
  module("SystemBus", ["CSystemd", "FileSupport"]),
]

// Level 3: the OpenID Connect client, the writer of snapshots and their reader.
private let clients: [Target] = [
  module(
    "OIDCClient",
    [
      "GrantModel", "HTTPExchange", "BrowserFlow", "SessionModel", "SecretMemory", "StrictJSON",
      "JOSE",
    ], exclude: ["PROVIDERS.md"]),
  module(
    "SnapshotStore",
    ["SnapshotFormat", "SessionModel", "SecretMemory", "FileSupport", "StrictJSON"]),
  module(
    "VaultReader",
    ["SnapshotFormat", "HostControl", "SessionModel", "FileSupport"]),
]

// Level 4: the host's rules, the watcher, the provider for tests and demonstrations.
private let hosts: [Target] = [
  module(
    "SessionHost",
    [
      "GrantModel", "SecureStore", "SnapshotStore", "SnapshotFormat", "HostControl",
      "SessionModel", "SecretMemory", "FileSupport", "StrictJSON",
    ]),
  module("VaultWatching", ["VaultReader", "FileWatching", "SessionModel", "FileSupport"]),
  module(
    "StatusBar", ["VaultReader", "SessionModel", "StrictJSON"], exclude: ["BARS.md"]),
  module(
    "SnapshotTesting",
    [
      "VaultReader", "SnapshotStore", "SnapshotFormat", "CommandRuntime", "SessionModel",
      "SecretMemory", "FileSupport", "StrictJSON",
    ]),
  module(
    "VaultReporting",
    [
      "VaultReader", "SnapshotFormat", "HostControl", "CommandRuntime", "SessionModel",
      "FileSupport", "StrictJSON",
    ]),
  module(
    "DevelopmentProvider",
    ["LoopbackHTTP", "JOSE", "StrictJSON", "SecretMemory", "SessionModel"]),
]

// Level 5: programs, and the library for other languages.
private let programs: [Target] = [
  module("CInterface", ["VaultReader", "VaultWatching", "SessionModel", "CTokenVault"]),
  program(
    "TokenVaultHost", "Agents/TokenVaultHost",
    [
      "SessionHost", "OIDCClient", "HTTPExchange", "GrantModel", "BrowserFlow",
      "HostConfiguration", "SecureStore", "HostControl", "CommandRuntime", "SystemBus",
      "LoopbackHTTP", "SessionModel", "SecretMemory", "FileSupport",
    ]),
  program(
    "TokenVaultCommand", "Agents/TokenVaultCommand",
    [
      "VaultReader", "VaultWatching", "VaultReporting", "StatusBar", "HostControl",
      "CommandRuntime", "SessionModel", "FileSupport", "StrictJSON",
    ]),
  program(
    "TokenVaultSimulate", "Agents/TokenVaultSimulate",
    ["SnapshotTesting", "CommandRuntime", "SessionModel", "FileSupport", "StrictJSON"]),
  program(
    "TerminalPanel", "Samples/terminal-panel", ["VaultReader", "VaultWatching", "SessionModel"]),
  program(
    "DevelopmentProviderCommand", "Agents/DevelopmentProviderCommand",
    ["DevelopmentProvider", "CommandRuntime", "JOSE"]),
]

private let testTargets: [Target] = [
  program(
    "TokenVaultBench", "Tests/Bench/TokenVaultBench",
    [
      "VaultReader", "VaultWatching", "FileWatching", "SnapshotStore", "SnapshotFormat",
      "SessionModel", "SecretMemory", "FileSupport", "CommandRuntime",
    ]),
  .systemLibrary(name: "CFuzzer", path: "Tests/Fuzz/CFuzzer"),
  module(
    "FuzzTargets",
    [
      "SnapshotStore", "SnapshotFormat", "SessionModel", "SecretMemory", "JOSE", "StrictJSON",
      "LoopbackHTTP", "HostControl", "HostConfiguration", "FileWatching", "FileSupport",
      "TestSupport",
    ], path: "Tests/Fuzz/FuzzTargets"),
  program(
    "TokenVaultFuzz", "Tests/Fuzz/TokenVaultFuzz", ["FuzzTargets", "CFuzzer", "TestSupport"]),
  tests("FuzzTests", ["FuzzTargets"]),
  module("TestSupport", path: "Tests/TestSupport"),
  tests("SessionModelTests", ["SessionModel"]),
  tests("SecretMemoryTests", ["SecretMemory", "StrictJSON"]),
  tests("FileSupportTests", ["FileSupport"]),
  tests("StrictJSONTests", ["StrictJSON"], exclude: ["json-oracle"]),
  tests("JOSETests", ["JOSE", "StrictJSON"]),
  tests("LoopbackHTTPTests", ["LoopbackHTTP"]),
  tests("GrantModelTests", ["GrantModel", "SessionModel", "SecretMemory"]),
  tests("HTTPExchangeTests", ["HTTPExchange", "LoopbackHTTP"]),
  tests("BrowserFlowTests", ["BrowserFlow", "SecretMemory", "SessionModel"]),
  tests("SecureStoreTests", ["SecureStore", "SecretMemory", "FileSupport", "SessionModel"]),
  tests("HostConfigurationTests", ["HostConfiguration", "SessionModel", "FileSupport"]),
  tests(
    "SnapshotStoreTests",
    [
      "SnapshotStore", "SnapshotFormat", "SessionModel", "SecretMemory", "FileSupport",
      "StrictJSON",
    ], exclude: ["Vectors", "IndependentReader"]),
  tests("FileWatchingTests", ["FileWatching", "FileSupport"]),
  tests("HostControlTests", ["HostControl", "SessionModel", "FileSupport", "StrictJSON"]),
  tests("SystemBusTests", ["SystemBus", "FileSupport"]),
  tests("CommandRuntimeTests", ["CommandRuntime", "SessionModel", "FileSupport"]),
  tests(
    "OIDCClientTests",
    [
      "OIDCClient", "GrantModel", "HTTPExchange", "BrowserFlow", "DevelopmentProvider",
      "SessionModel", "SecretMemory", "StrictJSON", "JOSE", "LoopbackHTTP",
    ]),
  tests(
    "VaultReaderTests",
    [
      "VaultReader", "SnapshotStore", "SnapshotFormat", "SessionModel", "SecretMemory",
      "FileSupport",
    ]),
  tests(
    "VaultReportingTests",
    [
      "VaultReporting", "VaultReader", "HostControl", "CommandRuntime", "SessionModel",
      "FileSupport", "SnapshotStore", "SnapshotFormat",
    ]),
  tests(
    "SessionHostTests",
    [
      "SessionHost", "GrantModel", "SecureStore", "SnapshotStore", "SnapshotFormat", "HostControl",
      "SessionModel", "SecretMemory", "FileSupport", "StrictJSON", "VaultReader",
    ]),
  tests(
    "VaultWatchingTests",
    [
      "VaultWatching", "VaultReader", "FileWatching", "SnapshotStore", "SnapshotFormat",
      "SessionModel", "SecretMemory", "FileSupport", "DevelopmentProvider", "SnapshotTesting",
      "StatusBar", "TerminalPanel", "TokenVaultCommand",
    ], exclude: ["C"]),
  tests(
    "StatusBarTests",
    [
      "StatusBar", "SnapshotTesting", "VaultReader", "VaultReporting", "HostControl",
      "CommandRuntime", "SessionModel", "StrictJSON", "TokenVaultCommand",
    ]),
  tests(
    "SnapshotTestingTests",
    [
      "SnapshotTesting", "VaultReader", "VaultWatching", "SnapshotFormat", "CommandRuntime",
      "SessionModel", "FileSupport", "StrictJSON", "TokenVaultSimulate", "TokenVaultCommand",
      "TerminalPanel",
    ]),
  tests(
    "DevelopmentProviderTests",
    ["DevelopmentProvider", "HTTPExchange", "LoopbackHTTP", "StrictJSON", "JOSE"]),
  tests(
    "EndToEndTests",
    [
      "TokenVaultHost", "TokenVaultCommand", "DevelopmentProviderCommand", "TerminalPanel",
      "DevelopmentProvider", "HTTPExchange", "StrictJSON", "FileSupport", "SecretMemory",
      "SecureStore", "SessionModel", "VaultReader",
    ]),
  tests(
    "RelyingPartyTests",
    [
      "SessionHost", "OIDCClient", "GrantModel", "HTTPExchange", "DevelopmentProvider",
      "HostControl", "SecureStore", "SessionModel", "SecretMemory", "FileSupport", "StrictJSON",
      "JOSE", "LoopbackHTTP", "TokenVaultHost", "TokenVaultCommand",
    ]),
  tests("PackageTests", []),
  tests("TestSupportTests", []),
]

let package = Package(
  name: "TokenVault",
  products: [
    .library(name: "VaultReader", targets: ["VaultReader", "SessionModel"]),
    .library(name: "VaultWatching", targets: ["VaultWatching"]),
    .library(name: "StatusBar", targets: ["StatusBar"]),
    .library(name: "tokenvault-c", type: .dynamic, targets: ["CInterface"]),
    .library(name: "SnapshotTesting", targets: ["SnapshotTesting"]),
    .executable(name: "tokenvault-host", targets: ["TokenVaultHost"]),
    .executable(name: "tokenvault", targets: ["TokenVaultCommand"]),
    .executable(name: "tokenvault-simulate", targets: ["TokenVaultSimulate"]),
    .executable(name: "terminal-panel", targets: ["TerminalPanel"]),
    .executable(name: "development-provider", targets: ["DevelopmentProviderCommand"]),
  ],
  traits: [
    .trait(
      name: "Inotify",
      description: "Watch with libinotifytools (GPL-2 only); without it FileWatching polls."),
    .trait(
      name: "KernelInotify",
      description: "Watch with the kernel's own calls instead, for a library that others link."),
    .trait(
      name: "Tasks",
      description: "Use Swift's tasks: the host, and `updates`. A program without starts sooner."),
    .default(enabledTraits: ["Inotify", "Tasks"]),
  ],
  targets: cLibraries + foundations + services + clients + hosts + programs + testTargets,
  swiftLanguageModes: [.v6],
  cLanguageStandard: .c17,
  cxxLanguageStandard: .cxx17
)

// One set of rules for every Swift target.
for target in package.targets
where [.regular, .executable, .test].contains(target.type)
  && !["CTOML", "CLinux"].contains(target.name)
{
  target.swiftSettings = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .enableExperimentalFeature("Lifetimes"),
    .strictMemorySafety(),
    .treatAllWarnings(as: .error),
  ]
}
