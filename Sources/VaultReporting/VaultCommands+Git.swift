package import CommandRuntime

/// The command that git starts.
extension VaultCommands {
  /// Whom git may send the token to.
  package static let gitHost = CommandOption(
    "host", value: .text(name: "HOST"), isRepeatable: true,
    help: "A server that may get the token, such as git.example:8443; may be given more than once")
  /// The name beside the token.
  package static let gitUsername = CommandOption(
    "username", value: .text(name: "NAME"),
    help:
      "The user name; by default the URL's, or else \(GitCredentialRequest.usualUsername)")

  static let gitCredential = Command(
    "git-credential", summary: "Gives git the access token for the servers that are named",
    details: [
      "git starts it, with one of get, store and erase, once it is configured as a credential"
        + " helper:\n"
        + "  git config --global credential.https://git.example.helper ''\n"
        + "  git config --global --add credential.https://git.example.helper \\\n"
        + "    '!tokenvault git-credential --host git.example'",
      "The first line keeps other helpers from storing the token.",
      "It answers for https only, and for http on a loopback literal. A token that the server has"
        + " refused is replaced by the host, so that the next command of git has another one.",
    ],
    operands: [.init("OPERATION", value: .text(name: "OPERATION"))],
    options: [gitHost, namespace, group, gitUsername])
}
