import DevelopmentProvider
import Glibc
import TestSupport
import Testing

/// The host as `tokenvault.service`, and readers who are other users of the machine.
@Suite(
  .timeLimit(.minutes(2)),
  .enabled(if: ServiceMachine.isPossible, ServiceMachine.requirement))
struct SystemServiceTests {
  private static let groups = "/run/tokenvault/groups"

  private static func configuration(_ issuer: String, readers: String = "tv-readers") -> String {
    """
    [accessGroups.default]
    unixGroup = "\(readers)"
    [accessGroups.mail]
    unixGroup = "tv-mail"

    [namespaces.primary]
    issuer = "\(issuer)"
    clientId = "desktop"
    scopes = ["openid", "profile", "offline_access"]
    accessGroups = ["default", "mail", "own"]

    """
  }

  @Test func membersOfTheUnixGroupReadAndNobodyElse() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try await ServiceMachine.start()
    try machine.configure(Self.configuration(provider.issuer))
    let host = try await machine.startHost()
    let signedIn = try await machine.signIn()
    #expect(signedIn.status == 0, "\(signedIn)")

    let token = try await machine.vault("token", by: ServiceMachine.member)
    #expect(token.status == 0 && token.output.count > 10, "\(token.error)")
    #expect(
      try await machine.vault("token", by: ServiceMachine.service).output == token.output)
    #expect(
      try await machine.vault("token", "-g", "own", by: ServiceMachine.service).output
        == token.output)
    let status = try await machine.vault("status", "--json", by: ServiceMachine.member)
    #expect(status.output.contains("\"session\":\"valid\""), "\(status)")
    #expect(
      try await machine.vault("token", "-g", "mail", by: ServiceMachine.mailer).output
        == token.output)

    for (user, group, sentence) in [
      (ServiceMachine.stranger, "default", "default: for members of the Unix group tv-readers"),
      (ServiceMachine.member, "mail", "mail: for members of the Unix group tv-mail"),
      (ServiceMachine.mailer, "default", "default: for members of the Unix group tv-readers"),
    ] {
      let name = sentence.split(separator: " ").last ?? ""
      for command in ["token", "status"] {
        let refused = try await machine.vault(command, "-g", group, by: user)
        #expect(refused.status == 77 && refused.output == "", "\(refused)")
        #expect(
          refused.error
            == "tokenvault: error: \(Self.groups)/\(sentence) alone; to become one, run: sudo usermod -a -G"
            + " \(name) \"$(id -un)\", and log in again\n")
      }
      let line = try await machine.vault("watch", "--once", "-g", group, by: user)
      #expect(line.output.contains("for members of the Unix group \(name) alone"), "\(line)")
    }
    let own = try await machine.vault("token", "-g", "own", by: ServiceMachine.member)
    #expect(own.status == 77)
    #expect(own.error.contains("\(Self.groups)/own: for user 54320 alone; have unixGroup name"))
    #expect(await machine.end(host).status == 0)
  }

  @Test func whatIsMadeHasTheOwnerTheGroupAndTheModeOfTheDesign() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try await ServiceMachine.start()
    try machine.configure(Self.configuration(provider.issuer))
    let host = try await machine.startHost(behind: [
      "/bin/sh", "-c", "umask 0077; exec \"$@\"", "-",
    ])
    #expect(try await machine.signIn().status == 0)
    let own = "54320:54320"
    for (path, expected) in [
      ("/run/tokenvault", "\(own) 711"), ("/run/tokenvault/host.lock", "\(own) 600"),
      ("/run/tokenvault/host.sock", "\(own) 600"), (Self.groups, "\(own) 711"),
      ("\(Self.groups)/default", "54320:54321 2750"),
      ("\(Self.groups)/default/key", "54320:54321 640"),
      ("\(Self.groups)/default/ns", "54320:54321 2750"),
      ("\(Self.groups)/default/ns/primary", "54320:54321 2750"),
      ("\(Self.groups)/default/ns/primary/session", "54320:54321 640"),
      ("\(Self.groups)/mail", "54320:54322 2750"), ("\(Self.groups)/mail/key", "54320:54322 640"),
      ("\(Self.groups)/own", "\(own) 700"), ("\(Self.groups)/own/key", "\(own) 600"),
      ("\(Self.groups)/own/ns/primary/session", "\(own) 600"),
      ("/var/lib/tokenvault", "\(own) 700"), ("/var/lib/tokenvault-keys", "\(own) 700"),
      ("/var/lib/tokenvault-keys/master.key", "\(own) 600"),
    ] {
      #expect(try await machine.status(of: path) == expected, "\(path)")
    }
    // Whatever is below: nothing for those who are not named.
    let open = try await machine.shell(
      "find /run/tokenvault /var/lib/tokenvault* -perm /0006", by: ServiceMachine.service)
    #expect(open.output == "" && open.status == 0, "\(open)")
    #expect(await machine.end(host).status == 0)
  }

  @Test func readersOfOtherUsersChangeNothingAndAskForNothing() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try await ServiceMachine.start()
    try machine.configure(Self.configuration(provider.issuer))
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let token = try await machine.vault("token", by: ServiceMachine.member).output
    let place = "\(Self.groups)/default/ns/primary"
    for line in [
      ": >\(place)/session", ": >>\(place)/session", "rm -f \(place)/session", ": >\(place)/new",
      "mv \(place)/session \(place)/other", "chmod o+r \(place)/session", "mkdir \(Self.groups)/x",
      "rm -f \(Self.groups)/default/key", ": >/run/tokenvault/x", "rm -f /run/tokenvault/host.sock",
      "ls /run/tokenvault", "ls \(Self.groups)", "ls \(Self.groups)/mail", "ls /var/lib/tokenvault",
      "cat /run/tokenvault/host.lock",
      "python3 -c 'import socket; socket.socket(socket.AF_UNIX).connect(\"/run/tokenvault/host.sock\")'",
    ] {
      let result = try await machine.shell(line, by: ServiceMachine.member)
      #expect(result.status != 0, "\(line)")
      #expect(
        result.error.contains("ermission denied") || result.error.contains("not permitted"),
        "\(line): \(result.error)")
    }
    for command in ["renew", "sign-out", "sign-in", "lock", "introspect"] {
      let result = try await machine.vault(command, by: ServiceMachine.member)
      #expect(result.status == 77, "\(command): \(result)")
      #expect(
        result.error.hasPrefix(
          "tokenvault: error: the host in /run/tokenvault is a system service and serves user 54320 alone;"
            + " whoever administers it runs this as that user, with: sudo -u '#54320'"),
        "\(command): \(result.error)")
    }
    #expect(provider.counts.refreshes == 0)
    #expect(try await machine.vault("token", by: ServiceMachine.member).output == token)
    #expect(await machine.end(host).status == 0)
  }

  @Test func aMemberHearsOfEachRenewalByInotify() async throws {
    let provider = try LoopbackProvider.approving(lifetime: .seconds(3))
    let machine = try await ServiceMachine.start()
    try machine.configure(Self.configuration(provider.issuer))
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let watch = try RunningTool(
      machine.request(
        "/run/products/tokenvault", ["watch", "--format", "json"], by: ServiceMachine.member))
    var generation = Self.generation(of: try await watch.output.next())
    #expect(generation > 0)
    let token = try await machine.vault("token", by: ServiceMachine.member).output
    for _ in 0..<2 {
      let last = generation
      generation = Self.generation(
        of: try await watch.output.next {
          $0.contains("\"session\":\"valid\"") && Self.generation(of: $0) > last
        })
    }
    let later = try await machine.vault("token", by: ServiceMachine.member).output
    #expect(later != token && !later.isEmpty)
    watch.terminate()
    _ = await watch.result()
    #expect(await machine.end(host).status == 0)
  }

  @Test func aChangeOfTheUnixGroupShutsTheFormerMembersOutWithANewKey() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try await ServiceMachine.start()
    try machine.configure(Self.configuration(provider.issuer))
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let token = try await machine.vault("token", by: ServiceMachine.member).output
    let digest = "sha256sum \(Self.groups)/default/key"
    let key = try await machine.shell(digest, by: ServiceMachine.service).output
    let other = try await machine.shell(
      "sha256sum \(Self.groups)/own/key", by: ServiceMachine.service
    ).output

    try machine.configure(Self.configuration(provider.issuer, readers: "tv-none"))
    host.send(signal: SIGHUP)
    try await host.error.next {
      $0.hasSuffix(
        "config.toml:2: \"unixGroup\" in [accessGroups.default] is \"tv-none\", which is no Unix"
          + " group; run: groupadd --system \"tv-none\"")
    }
    #expect(try await machine.vault("token", by: ServiceMachine.member).output == token)

    try machine.configure(Self.configuration(provider.issuer, readers: "tv-mail"))
    host.send(signal: SIGHUP)
    try await host.error.next { $0.contains("the configuration was read again") }
    #expect(try await machine.vault("token", by: ServiceMachine.member).status == 77)
    #expect(try await machine.vault("token", by: ServiceMachine.mailer).output == token)
    #expect(try await machine.shell(digest, by: ServiceMachine.service).output != key)
    #expect(
      try await machine.shell(
        "sha256sum \(Self.groups)/own/key", by: ServiceMachine.service
      ).output == other)
    #expect(provider.counts.refreshes == 0)
    #expect(await machine.end(host).status == 0)
  }

  @Test func doctorTellsEachUserWhatIsTheirs() async throws {
    let provider = try LoopbackProvider.approving()
    let machine = try await ServiceMachine.start()
    try machine.configure(Self.configuration(provider.issuer))
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let service = try await machine.vault("doctor", by: ServiceMachine.service)
    #expect(service.status == 0, "\(service.output)")
    #expect(service.output.contains("/run/tokenvault is the runtime directory"))
    let member = try await machine.vault("doctor", by: ServiceMachine.member)
    #expect(member.status == 0, "\(member.output)")
    #expect(
      member.output.contains(
        "fine     /run/tokenvault is the runtime directory of a system service, of user 54320\n"))
    let stranger = try await machine.vault("doctor", by: ServiceMachine.stranger)
    #expect(stranger.status == 77, "\(stranger.output)")
    #expect(
      stranger.output.contains(
        "PROBLEM  \(Self.groups)/default: for members of the Unix group tv-readers alone\n"))
    #expect(await machine.end(host).status == 0)
  }

  private static func generation(of line: String) -> Int {
    guard let start = line.firstRange(of: "\"generation\":") else { return -1 }
    return Int(line[start.upperBound...].prefix { $0.isNumber }) ?? -1
  }
}

extension ServiceMachine {
  /// Ends a host as a service manager does.
  func end(_ tool: RunningTool) async -> ToolResult {
    tool.terminate()
    return await tool.result()
  }
}
