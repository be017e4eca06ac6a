import CommandRuntime
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
  static let verbose = CommandOption(
    "verbose", letter: "v", help: "Reports each step on standard error")

  static let exampleName = "example-config"

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
        "SIGTERM and SIGINT end it; sessions go on with the next start.",
      ],
      options: [configuration, once, signOut, verbose]),
    commands: [
      Command(
        exampleName, summary: "Prints a configuration to start from",
        details: ["PROVIDER is \(providers(separator: ", ")); generic has every key."],
        operands: [
          .init("PROVIDER", value: .choice(ExampleConfiguration.allCases.map(\.rawValue)))
        ])
    ],
    closing: [
      "Exit codes: 0 done, 64 usage, 73 storage, 75 another host is running or something is left to"
        + " be done later, 77 permission, 78 configuration."
    ])
}
