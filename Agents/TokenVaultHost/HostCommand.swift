import CommandRuntime
import FileSupport
import HostConfiguration

/// What `tokenvault-host` can be told on its command line.
enum HostCommand {
  static let configuration = CommandOption(
    "config", letter: "c", value: .file,
    help: "Reads this configuration instead of the usual one")
  static let once = CommandOption(
    "once", help: "Renews what is due, publishes and ends")
  static let signOut = CommandOption(
    "sign-out", value: .namespace,
    help: "Signs a namespace out while no host is running, and ends")
  static let forget = CommandOption(
    "forget", value: .namespace,
    help: "Erases what is stored of a namespace while no host is running, and ends")
  static let verbose = CommandOption(
    "verbose", letter: "v", help: "Reports each step on standard error")

  static let exampleName = "example-config"
  static let registerName = "register"
  static let newKeyName = "new-key"
  static let rekeyName = "rekey"

  static let namespace = CommandOption(
    "namespace", letter: "n", value: .namespace,
    help: "The namespace that the client is for; primary by default")
  static let name = CommandOption(
    "name", value: .text(name: "NAME"),
    help: "What the provider's pages call the client; TokenVault by default")
  static let scope = CommandOption(
    "scope", value: .text(name: "SCOPE"), isRepeatable: true,
    help: "A scope that the client will ask for; may be given more than once")
  static let redirect = CommandOption(
    "redirect", value: .text(name: "URI"), isRepeatable: true,
    help: "A redirect URI, for a provider that compares ports; any loopback port by default")
  static let authentication = CommandOption(
    "authentication", value: .choice(["none", "basic", "post"]),
    help: "How the client proves itself; none by default, where the provider lists that")
  static let tokenFile = CommandOption(
    "token-file", value: .file,
    help: "A file with the provider's initial access token; - reads standard input")
  static let caFile = CommandOption(
    "ca-file", value: .file,
    help: "The certificate authorities to trust instead of the system's")
  static let proxy = CommandOption(
    "proxy", value: .text(name: "URL"), help: "The proxy to this provider")

  static let besideConfiguration = CommandOption(
    "config", letter: "c", value: .file,
    help: "The configuration that the files are kept beside, instead of the usual one")

  static let defaultScopes = ["openid", "profile", "offline_access"]

  /// The providers that there is an example for.
  static func providers(separator: String) -> String {
    ExampleConfiguration.allCases.map(\.rawValue).joined(separator: separator)
  }

  static let table = CommandTable(
    program: "tokenvault-host",
    summary: "Keeps sessions alive and publishes their access tokens to widgets",
    version: CommandTable.projectVersion,
    base: Command(
      "", summary: "Runs the host in the foreground",
      details: [
        "The configuration is $TOKENVAULT_CONFIG, or tokenvault/config.toml in $XDG_CONFIG_HOME or"
          + " ~/.config. Without one the host idles.",
        "SIGTERM and SIGINT end it; sessions go on with the next start. SIGHUP has it read the"
          + " configuration again: one that cannot be used is refused, and all goes on as before.",
        "Where TOKENVAULT_RUNTIME_DIR is \(VaultDirectories.systemService), as in tokenvault.service,"
          + " it works for the machine: the members of a Unix group read what unixGroup gives them.",
      ],
      options: [configuration, once, signOut, forget, verbose]),
    commands: [
      Command(
        exampleName, summary: "Prints a configuration to start from",
        details: ["PROVIDER is \(providers(separator: ", ")); generic has every key."],
        operands: [
          .init("PROVIDER", value: .choice(ExampleConfiguration.allCases.map(\.rawValue)))
        ]),
      Command(
        newKeyName, summary: "Prints a new key for keyCommand or a credential",
        details: [
          "For example: tokenvault-host new-key | secret-tool store --label=TokenVault"
            + " application tokenvault"
        ]),
      Command(
        rekeyName, summary: "Gives the stored sessions a new key, kept as the configuration says",
        details: [
          "Run it after keyStorage has changed, while no host is running. What keeps the key until"
            + " then has to be named still. A kill at any moment costs nothing: the next start goes"
            + " on with the old key or the new one.",
          "A new passphrase is asked for twice. Standard input that is no terminal has a line for each"
            + " question.",
        ],
        options: [configuration, verbose]),
      Command(
        registerName, summary: "Has a provider make a client, and prints its configuration",
        details: [
          "ISSUER is the provider's issuer. It is asked for a native client (RFC 7591, RFC 8252) at"
            + " the registration_endpoint of its metadata. Without --scope the scopes are"
            + " \(defaultScopes.joined(separator: " ")).",
          "Standard output gets the lines for the configuration. The provider's answer, and the"
            + " client secret where there is one, go into files beside the configuration that only"
            + " you can read.",
        ],
        operands: [.init("ISSUER", value: .text(name: "ISSUER"))],
        options: [
          namespace, name, scope, redirect, authentication, tokenFile, caFile, proxy,
          besideConfiguration,
        ]),
      .completions,
    ],
    closing: [
      "Exit codes: 0 done, 64 usage, 73 storage, 75 another host is running or something is left to"
        + " be done later, 77 permission, 78 configuration, 82 a session needs a new sign-in (--once)."
    ])
}
