import DevelopmentProvider
import FileSupport
import Glibc
import SecretMemory
import SecureStore
import SessionModel
import TestSupport
import Testing

/// What the host leaves open to others: its memory, its files, its descriptors, its tokens.
@Suite(.timeLimit(.minutes(2)))
struct ProcessSecrecyTests {
  /// Root may look into everything; without its rights it may do what any other user may.
  private static let asOthersMay =
    geteuid() == 0 ? ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] : []

  private static func run(_ words: [String]) async throws -> ToolResult {
    let words = asOthersMay + words
    return try await ToolRunner.run(ToolRequest(words[0], Array(words.dropFirst())))
  }

  @Test func mm03NobodyLooksIntoTheHostAndItLeavesNoCore() async throws {
    let machine = try HostMachine()
    let program = machine.request("tokenvault-host", []).program
    let words = Self.asOthersMay + [program]
    let host = try RunningTool(
      ToolRequest(words[0], Array(words.dropFirst()), environment: machine.environment))
    try await host.error.next { $0 == "tokenvault-host: ready" }
    let process = "/proc/\(host.identifier)"
    let limits = try TestFile.text(process + "/limits").split(separator: "\n")
    let core = try #require(limits.first { $0.hasPrefix("Max core file size") })
    #expect(core.split(separator: " ")[4] == "0", "\(core)")
    var status = stat()
    #expect(unsafe stat(process, &status) == 0)
    #expect(status.st_uid == 0, "what is dumpable belongs to its user")

    let other = Self.asOthersMay + ["sleep", "60"]
    let sleeper = try RunningTool(ToolRequest(other[0], Array(other.dropFirst())))
    while try TestFile.text("/proc/\(sleeper.identifier)/comm") != "sleep\n" { sched_yield() }
    #expect(
      try await Self.run(["cat", "/proc/\(sleeper.identifier)/maps"]).status == 0,
      "another program of the user lets itself be looked into")
    sleeper.kill()
    let maps = try await Self.run(["cat", process + "/maps"])
    #expect(maps.error == "cat: \(process)/maps: Permission denied\n")
    let trace = try await Self.run(["strace", "-p", "\(host.identifier)", "-o", "/dev/null"])
    #expect(trace.error.contains("Operation not permitted"), "\(trace.error)")
    #expect(trace.status == 1)
    #expect(await machine.end(host).status == 0)
  }

  /// A kernel that hands cores to a program leaves none in the working directory.
  private static let leavesCores =
    (try? TestFile.text("/proc/sys/kernel/core_pattern")).map {
      !$0.hasPrefix("|") && !$0.contains("/")
    } ?? false

  /// A widget stands for what has not forbidden cores, or not yet.
  @Test(
    .enabled(if: leavesCores, "no core is left in the working directory"),
    .disabled(if: Sanitizer.isPresent, "a core with a sanitizer's shadow has terabytes"))
  func mm02TheCoreOfAnAbortHoldsNoKey() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let access = try await machine.vault("token").output.dropLast()
    let cores = try machine.root.makeDirectory("cores")
    let program = PackageLayout.product("terminal-panel")
    let widget = try RunningTool(
      ToolRequest(
        "/bin/sh", ["-c", "ulimit -c unlimited && exec '\(program)'"],
        environment: machine.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 },
        directory: cores))
    _ = try await widget.output.next { $0.contains("valid") }
    let file = try machine.root.read("run/groups/default/key")
    let key = Array(file[8..<40])
    #expect(try ProcessMemory.read(widget.identifier).contains(key), "the widget has the key")
    widget.send(signal: SIGABRT)
    #expect(await widget.result().exit == .signal(SIGABRT))
    let core = try #require(TestFile.names(in: cores).first { $0.hasPrefix("core") })
    let bytes = try TestFile.read(cores + "/" + core)
    #expect(ByteSearch.finds(Array(access.utf8), in: bytes), "the search finds other memory")
    #expect(!ByteSearch.finds(key, in: bytes))
    #expect(await machine.end(host).status == 0)
  }

  /// With what the unit sets, and with nothing.
  @Test(
    .disabled(if: Sanitizer.isPresent, "a sanitizer reports the crash by itself"),
    arguments: [true, false])
  func mm06ACrashPrintsNoBacktrace(isUnit: Bool) async throws {
    let machine = try HostMachine()
    let unit = try TestFile.text("\(PackageLayout.root)/Service/user/tokenvault-host.service")
    let settings = unit.split(separator: "\n").filter { $0.hasPrefix("Environment=") }
      .map { $0.dropFirst("Environment=".count).split(separator: "=", maxSplits: 1) }
    #expect(settings == [["SWIFT_BACKTRACE", "enable=no"]])
    let environment = settings.reduce(into: [String: String]()) {
      $0[String($1[0])] = String($1[1])
    }
    let host = try await machine.startHost(environment: isUnit ? environment : [:])
    host.send(signal: SIGSEGV)
    let began = ContinuousClock.now
    let result = await host.result()
    #expect(result.exit == .signal(SIGSEGV))
    #expect(result.error.split(separator: "\n").last == "tokenvault-host: ready")
    #expect(ContinuousClock.now - began < .seconds(5))
  }

  @Test func fs06AHostThatIsStartedWithoutAUmaskMakesNothingForOthers() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let program = machine.request("tokenvault-host", []).program
    let host = try RunningTool(
      ToolRequest(
        "/bin/sh", ["-c", "umask 0; exec '\(program)'"], environment: machine.environment))
    try await host.error.next { $0 == "tokenvault-host: ready" }
    #expect(try await machine.signIn().status == 0)
    let found = try await ToolRunner.runSuccessfully(
      ToolRequest(
        "find", ["state", "keys", "run", "-printf", "%y %m\n"], directory: machine.root.path))
    #expect(Set(found.output.split(separator: "\n")) == ["d 700", "f 600", "s 600"])
    #expect(await machine.end(host).status == 0)
  }

  @Test func fs09CommandsOfTheHostGetTheStandardDescriptorsAlone() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    let list = machine.root.file("descriptors")
    try machine.configure(
      issuer: provider.issuer,
      #"clientSecretCommand = ["/bin/bash", "-c", "ls -1 /proc/$$/fd >>'\#(list)'; echo secret"]"#)
    let program = machine.request("tokenvault-host", []).program
    // One more is left open by whoever starts the host.
    let host = try RunningTool(
      ToolRequest(
        "/bin/bash", ["-c", "exec 7</dev/null '\(program)'"], environment: machine.environment))
    try await host.error.next { $0 == "tokenvault-host: ready" }
    _ = try await machine.signIn()
    let numbers = Set(try TestFile.text(list).split(separator: "\n"))
    #expect(numbers == ["0", "1", "2"])
    #expect(await machine.end(host).status == 0)
  }

  @Test func fs09TheCommandOfAWidgetGetsNoDescriptorOfTheReaders() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let list = machine.root.file("descriptors")
    let script = try machine.root.write(
      "#!/bin/bash\nls -1 /proc/$$/fd >'\(list)'\nexit 0\n", to: "list", mode: 0o700)
    let program = machine.request("tokenvault", []).program
    let result = try await ToolRunner.run(
      ToolRequest(
        "/bin/bash", ["-c", "exec 7</dev/null '\(program)' run -- '\(script)'"],
        environment: machine.environment))
    #expect(result.status == 0, "\(result.error)")
    // As with env(1), what the caller left open is meant for the command. 255 is bash's script.
    let numbers = Set(try TestFile.text(list).split(separator: "\n"))
    #expect(numbers == ["0", "1", "2", "7", "255"])
    #expect(await machine.end(host).status == 0)
  }

  @Test func lo06NoFileHoldsATokenAfterTheSignOut() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer, "shareRefreshToken = true")
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    #expect(try await machine.vault("renew", "primary").status == 0)
    let access = try await machine.vault("token").output.dropLast()
    let secrets = provider.hostTokens + [String(access)]
    #expect(secrets.count >= 3)
    #expect(try Self.isAnyStored(secrets, machine), "the search finds what is there")
    #expect(try await machine.vault("sign-out", "primary").status == 0)
    #expect(try !Self.isAnyStored(secrets, machine))
    #expect(await machine.end(host).status == 0)
    let files = try await ToolRunner.runSuccessfully(
      ToolRequest("find", [machine.root.path, "-type", "f", "-exec", "cat", "{}", "+"]))
    #expect(files.output.contains("clientId"), "the configuration is among them")
    for secret in secrets {
      for spelling in SecretSpelling.all(of: secret) {
        #expect(!ByteSearch.finds(spelling, in: files.outputBytes))
      }
    }
  }

  /// Whether a token is in what the host has encrypted for itself.
  private static func isAnyStored(_ secrets: [String], _ machine: HostMachine) throws -> Bool {
    let keys = try Directory.open(path: machine.root.file("keys"), policy: .ownerOnly)
    guard let master = try MasterKey.load(from: keys, machine: machineIdentifier()) else {
      throw FileError.system(call: "open", path: keys.path, Errno(rawValue: ENOENT))
    }
    let directory = try Directory.open(
      path: machine.root.file("state/store"), policy: .ownerOnly)
    let store = try EncryptedStore(directory: directory, key: master.subkey("TVstores"))
    var bytes: [UInt8] = []
    for kind in EncryptedStore.Kind.allCases {
      for namespace in try store.namespaces(kind) {
        bytes += try store.get(kind, namespace)?.copiedBytes() ?? []
      }
    }
    return secrets.contains { secret in
      SecretSpelling.all(of: secret).contains { ByteSearch.finds($0, in: bytes) }
    }
  }
}
