import CommandRuntime

/// A program for the tests of the parser and of help.
enum ExampleTable {
  static let namespace = CommandOption(
    "namespace", letter: "n", value: .namespace, help: "The namespace; \"primary\" by default")
  static let validFor = CommandOption(
    "valid-for", value: .duration, help: "The least time that the token has to live")
  static let format = CommandOption(
    "format", letter: "f", value: .choice(["raw", "header", "json"]),
    help: "How the token is written")
  static let json = CommandOption("json", letter: "j", help: "Writes JSON")
  static let all = CommandOption("all", letter: "a", help: "Shows every namespace")
  static let parameter = CommandOption(
    "parameter", value: .assignment(name: "K=V"), isRepeatable: true,
    help: "A parameter for the authorization request; it may be given more than once")
  static let tries = CommandOption("tries", value: .number(name: "N"), help: "How many tries")

  static let vault = CommandTable(
    program: "vault", summary: "Reads the vault", version: "1.2.3",
    commands: [
      Command(
        "token", summary: "Prints the access token and nothing else",
        details: ["Exit codes:\n  0   done\n  80  expired"],
        options: [namespace, validFor, format, tries]),
      Command("status", summary: "Shows states", options: [json, all, namespace]),
      Command(
        "sign-in", summary: "Signs in", operands: [.init("NS", value: .namespace)],
        options: [parameter, json]),
      Command(
        "run", summary: "Runs a command", operands: [.init("CMD", value: .command, count: .rest)],
        options: [namespace]),
      Command(
        "completions", summary: "Prints completions",
        operands: [.init("SHELL", value: .choice(["bash", "zsh", "fish"]), count: .optional)]),
    ],
    closing: ["Standard output carries the answer only."])

  static let host = CommandTable(
    program: "host", summary: "Keeps sessions alive", version: "1.2.3",
    base: Command(
      "", summary: "Runs in the foreground",
      options: [CommandOption("config", value: .file, help: "The configuration")]),
    commands: [Command("example-config", summary: "Prints a configuration")])
}
