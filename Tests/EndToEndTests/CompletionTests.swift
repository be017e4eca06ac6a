import TestSupport
import Testing

/// The completions of the built programs, in the shells themselves.
@Suite(.timeLimit(.minutes(2))) struct CompletionTests {
  private static let shells = ["bash", "fish", "zsh"]

  /// Prints what a shell proposes for the last of the words.
  private func propose(
    _ shell: String, _ words: [String], in directory: TemporaryDirectory,
    _ environment: [String: String] = [:]
  ) async throws -> [String] {
    // The built programs are found as installed ones are.
    let path = [directory.path, PackageLayout.products, Environment.searchPath]
    let own = [
      "PATH": path.joined(separator: ":"), "HOME": directory.path, "TERM": "xterm",
      "LC_ALL": "C.UTF-8",
    ]
    let result = try await ToolRunner.run(
      ToolRequest(
        "\(PackageLayout.root)/Tests/Shells/propose.\(shell)", words,
        environment: environment.merging(own) { $1 }, directory: directory.path))
    #expect(result.error == "", "\(shell) \(words)")
    return result.output.split(separator: "\n").map {
      // Some shells propose a separator along with the word.
      String($0.last == "=" || $0.last == " " ? $0.dropLast() : $0)
    }
  }

  @Test(
    arguments: shells,
    [
      (["tokenvault", "sign"], ["sign-in", "sign-out"]),
      (["tokenvault", "token", "--no"], ["--no-renew"]),
      (
        ["tokenvault", "token", "--format", ""],
        ["curl", "exec-credential", "header", "json", "raw", "xoauth2"]
      ),
      (["tokenvault", "token", "-f", "x"], ["xoauth2"]),
      (["tokenvault", "token", "-n", "mail", "--format", "x"], ["xoauth2"]),
      (["tokenvault", "completions", ""], ["bash", "fish", "zsh"]),
      (["tokenvault", "run", "-n", "mail", "print-the-to"], ["print-the-token"]),
      (["tokenvault", "simulate", "sh"], ["show"]),
      (["tokenvault-host", "--sign"], ["--sign-out"]),
      (["tokenvault-host", "example-config", "g"], ["generic", "github", "google"]),
      (["tokenvault-host", "--config", "con"], ["config.toml"]),
      (["tokenvault-simulate", "run", "--js"], ["--json"]),
    ])
  func aShellProposesWhatTheProgramTakes(
    shell: String, example: (words: [String], expected: [String])
  ) async throws {
    let directory = try TemporaryDirectory()
    try directory.write("", to: "config.toml")
    try directory.write("#!/bin/sh\n", to: "print-the-token")
    try TestFile.setMode(0o700, of: directory.file("print-the-token"))
    let proposed = try await propose(shell, example.words, in: directory)
    #expect(proposed == example.expected, "\(shell): \(example.words)")
  }

  @Test(arguments: shells)
  func theNamespacesOfTheHostAreProposed(shell: String) async throws {
    let machine = try HostMachine()
    try machine.configure(
      issuer: "https://id.example",
      """
      [namespaces.work-mail]
      issuer = "https://id.example"
      clientId = "desktop"
      """)
    let host = try await machine.startHost()
    for words in [["sign-in"], ["token", "-n"], ["watch", "--namespace"]] {
      let proposed = try await propose(
        shell, ["tokenvault"] + words + ["w"], in: machine.root, machine.environment)
      #expect(proposed == ["work-mail"], "\(shell): \(words)")
    }
    #expect(await machine.end(host).status == 0)
  }
}
