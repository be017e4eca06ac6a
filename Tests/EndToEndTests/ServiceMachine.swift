import DevelopmentProvider
import Glibc
import TestSupport
import Testing

/// A machine of several users: a mount namespace of its own in which `/run`, `/var/lib` and the lists
/// of users and Unix groups are what a service manager would find, for `tokenvault.service`.
final class ServiceMachine: Sendable {
  /// Somebody who runs programs.
  struct User: Sendable {
    let name: String
    let identifier: UInt32
    let groups: [UInt32]
  }

  /// Why these tests are skipped, where they are.
  static let requirement: Comment = """
    NOT TESTED: only root can be several users in a mount namespace of its own
    """
  /// Whether this process may make what is needed.
  static let isPossible = geteuid() == 0 && hasNamespaces

  static let readers: UInt32 = 54_321
  static let mail: UInt32 = 54_322
  /// The service's user, in both Unix groups.
  static let service = User(name: "tokenvault", identifier: 54_320, groups: [readers, mail])
  /// A member of the Unix group `tv-readers`.
  static let member = User(name: "tv-ana", identifier: 54_323, groups: [readers])
  /// A user in neither.
  static let stranger = User(name: "tv-ben", identifier: 54_324, groups: [])
  /// A user in `tv-mail`.
  static let mailer = User(name: "tv-cho", identifier: 54_325, groups: [mail])

  let root: TemporaryDirectory
  private let holder: RunningTool
  private let unit: ServiceUnit

  private init(root: TemporaryDirectory, holder: RunningTool, unit: ServiceUnit) {
    (self.root, self.holder, self.unit) = (root, holder, unit)
  }

  /// Makes the machine; it ends with its owner.
  static func start() async throws -> ServiceMachine {
    let root = try TemporaryDirectory()
    guard unsafe chmod(root.path, 0o711) == 0 else { throw SystemCallError("chmod", root.path) }
    let unit = try ServiceUnit()
    let users = [service, member, stranger, mailer].map {
      "\($0.name):x:\($0.identifier):\($0.identifier)::/nonexistent:/bin/sh\n"
    }
    let groups = [("tv-readers", readers), ("tv-mail", mail)].map { "\($0):x:\($1):\n" }
    try root.write(try TestFile.text("/etc/passwd") + users.joined(), to: "passwd", mode: 0o644)
    try root.write(try TestFile.text("/etc/group") + groups.joined(), to: "group", mode: 0o644)
    let holder = try RunningTool(
      ToolRequest(
        "unshare", ["--mount", "--propagation=private", "sh", "-euc", script(unit, root)],
        input: .open, limit: .seconds(110)))
    try await holder.output.next { $0 == "made" }
    return ServiceMachine(root: root, holder: holder, unit: unit)
  }

  // What systemd does for RuntimeDirectory=, StateDirectory= and their modes, for User=.
  private static func script(_ unit: ServiceUnit, _ root: TemporaryDirectory) -> String {
    let made =
      unit.words("RuntimeDirectory").map { ("/run/\($0)", unit.word("RuntimeDirectoryMode")) }
      + unit.words("StateDirectory").map { ("/var/lib/\($0)", unit.word("StateDirectoryMode")) }
    let owner = service.identifier
    return """
      mount -t tmpfs -o mode=0755 tmpfs /run
      mount -t tmpfs -o mode=0755 tmpfs /var/lib
      mkdir /run/products
      mount --bind '\(PackageLayout.products)' /run/products
      mount --bind '\(root.file("passwd"))' /etc/passwd
      mount --bind '\(root.file("group"))' /etc/group

      """ + made.map { "install -d -o \(owner) -g \(owner) -m \($1) \($0)\n" }.joined() + """
        echo made
        exec cat
        """
  }

  /// The request of a program, run by a user with nothing but the user's rights.
  func request(
    _ program: String, _ arguments: [String], by user: User, environment: [String: String] = [:],
    limit: Duration = .seconds(60)
  ) -> ToolRequest {
    let groups = user.groups.map(String.init).joined(separator: ",")
    let rights =
      [
        "--reuid=\(user.identifier)", "--regid=\(user.identifier)",
        groups.isEmpty ? "--clear-groups" : "--groups=\(groups)", "--inh-caps=-all",
        "--bounding-set=-all", "--no-new-privs",
      ]
    let home = user.identifier == Self.service.identifier ? "/var/lib/tokenvault" : "/nonexistent"
    let usual = ["PATH": Environment.searchPath, "HOME": home]
    return ToolRequest(
      "nsenter",
      ["--target=\(holder.identifier)", "--mount", "--", "setpriv"] + rights + ["--", program]
        + arguments,
      environment: usual.merging(environment) { $1 }, limit: limit)
  }

  /// Runs `tokenvault` by a user, in that user's own environment.
  func vault(_ arguments: String..., by user: User) async throws -> ToolResult {
    try await ToolRunner.run(request("/run/products/tokenvault", arguments, by: user))
  }

  /// Runs a line of shell by a user.
  func shell(_ line: String, by user: User) async throws -> ToolResult {
    try await ToolRunner.run(request("/bin/sh", ["-c", line], by: user))
  }

  /// Starts the host as the unit says, behind another program where one is named.
  func startHost(behind wrapper: [String] = []) async throws -> RunningTool {
    var environment = unit.environment
    environment["TOKENVAULT_CONFIG"] = root.file("config.toml")
    let words = wrapper + ["/run/products/tokenvault-host", "--verbose"]
    let host = try RunningTool(
      request(
        words[0], Array(words.dropFirst()), by: Self.service, environment: environment,
        limit: .seconds(110)))
    try await host.error.next { $0 == "tokenvault-host: ready" }
    return host
  }

  /// Writes the configuration, which everybody may read as in `/etc`.
  func configure(_ text: String) throws {
    try root.write(text, to: "config.toml", mode: 0o644)
  }

  /// Copies the unit to where the service's user can read it.
  func copyOfUnit() throws -> String {
    try root.write(TestFile.text(ServiceUnit.path), to: "tokenvault.service", mode: 0o644)
  }

  /// Signs in as whoever administers the service does.
  func signIn() async throws -> ToolResult {
    let tool = try RunningTool(
      request(
        "/run/products/tokenvault", ["sign-in", "primary", "--json", "--no-browser"],
        by: Self.service))
    let line = try await tool.output.next { $0.contains("\"authorize\"") }
    await HostMachine.browse(VaultInstallation.member("url", of: line))
    return await tool.result()
  }

  /// `owner:group mode` of something in the machine, as `stat(1)` of coreutils has it.
  func status(of path: String) async throws -> String {
    let result = try await ToolRunner.run(
      ToolRequest(
        "nsenter",
        ["--target=\(holder.identifier)", "--mount", "--", "stat", "--format=%u:%g %a", path]))
    return result.output.split(separator: "\n").first.map(String.init) ?? result.error
  }

  // CAP_SYS_ADMIN of capabilities(7), which root of a container may lack.
  private static var hasNamespaces: Bool {
    guard let status = try? TestFile.text("/proc/self/status"),
      let line = status.split(separator: "\n").first(where: { $0.hasPrefix("CapEff:\t") }),
      let effective = UInt64(line.dropFirst("CapEff:\t".count), radix: 16)
    else { return false }
    return effective & (1 << 21) != 0
  }
}

/// The settings of `tokenvault.service`.
struct ServiceUnit: Sendable {
  static let path = "\(PackageLayout.root)/Service/system/tokenvault.service"

  private let lines: [(key: String, value: String)]

  init() throws {
    lines = try TestFile.text(Self.path)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line in
        guard let split = line.firstIndex(of: "=") else { return nil }
        return (String(line[..<split]), String(line[line.index(after: split)...]))
      }
  }

  /// All words of all lines of a key, in order.
  func words(_ key: String) -> [String] {
    lines.filter { $0.key == key }.flatMap { $0.value.split(separator: " ").map(String.init) }
  }

  /// The one word of a key, empty where there is none.
  func word(_ key: String) -> String { words(key).first ?? "" }

  /// `Environment=`.
  var environment: [String: String] {
    let pairs = words("Environment").compactMap { word in
      word.firstIndex(of: "=").map { (String(word[..<$0]), String(word[word.index(after: $0)...])) }
    }
    return Dictionary(pairs) { $1 }
  }
}
