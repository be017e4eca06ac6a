package import CommandRuntime
import FileSupport

/// Everything that `tokenvault` understands on its command line.
package enum VaultCommands {
  /// The namespace of a command that reads.
  package static let namespace = CommandOption(
    "namespace", letter: "n", value: .namespace, help: "The namespace, instead of primary")
  /// The one namespace of a command that shows all.
  package static let oneNamespace = CommandOption(
    "namespace", letter: "n", value: .namespace, help: "Shows this namespace only")
  /// The access group of a command that reads.
  package static let group = CommandOption(
    "group", letter: "g", value: .text(name: "GROUP"),
    help: "The access group, instead of default")
  /// How long the token has to be good.
  package static let validFor = CommandOption(
    "valid-for", value: .duration,
    help: "How long the token has to be good, such as 30s; else the host is asked to renew it")
  /// How the token is written.
  package static let tokenFormat = CommandOption(
    "format", letter: "f", value: .choice(TokenFormat.allCases.map(\.rawValue)),
    help: "How the token is written; raw by default")
  /// Whether the host is left alone.
  package static let noRenew = CommandOption(
    "no-renew", help: "Fails at once instead of asking the host for a newer token")
  /// Whether the answer is JSON.
  package static let json = CommandOption("json", help: "Writes JSON")
  /// Whether the answer is shown in a window.
  package static let window = CommandOption(
    "window", help: "Opens a terminal's window that shows the same, as for a click")
  /// Whether all access groups are shown.
  package static let all = CommandOption(
    "all", letter: "a", help: "Shows the namespaces of all access groups")
  /// How a change is written.
  package static let watchFormat = CommandOption(
    "format", letter: "f", value: .choice(["text", "json"] + barFormats), shownValue: "FORMAT",
    help: "How each line is written, or for which bar; text by default")
  /// Whether one line is enough.
  package static let once = CommandOption("once", help: "Writes one line and ends")
  /// Whether the token comes in a file.
  package static let tokenFile = CommandOption(
    "token-file",
    help: "Sets BEARER_TOKEN_FILE to a file in memory with the token, instead of ACCESS_TOKEN")
  /// How a person signs in.
  package static let flow = CommandOption(
    "flow", value: .choice(["browser", "device"]),
    help: "How to sign in; the configuration decides by default, and device is taken over SSH")
  /// Whether no browser is opened.
  package static let noBrowser = CommandOption(
    "no-browser", help: "Shows the address and opens no browser")
  /// Who signs in.
  package static let loginHint = CommandOption(
    "login-hint", value: .text(name: "HINT"), help: "Who signs in, as a hint for the provider")
  /// How the person signs in at the provider.
  package static let loginMethod = CommandOption(
    "login-method", value: .text(name: "METHOD"),
    help: "How to sign in at the provider: one of the configuration's loginMethods")
  /// The address that the browser was sent back to.
  package static let complete = CommandOption(
    "complete", value: .text(name: "URL"),
    help: "Ends a sign-in that waits, with the address the browser was sent to; - reads it")
  /// Whether the session at the provider ends too.
  package static let browser = CommandOption(
    "browser", help: "Ends the session in the browser at the provider as well")
  /// More authorization parameters.
  package static let parameter = CommandOption(
    "parameter", value: .assignment(name: "K=V"), isRepeatable: true,
    help: "A parameter for the authorization request; may be given more than once")

  /// Whether a desktop entry is written instead.
  package static let desktopEntry = CommandOption(
    "desktop-entry", value: .text(name: "SCHEME"),
    help: "Prints the desktop entry that makes this program open the addresses of a scheme")

  /// The operand of a command that changes a namespace.
  package static let namespaceOperand = Command.Operand("NS", value: .namespace, count: .optional)

  /// The table of the program.
  package static let table = CommandTable(
    program: program, summary: summary, version: CommandTable.projectVersion,
    commands: [
      token, status, watch, run, gitCredential, signIn, signOut, forget, lock, unlock, renew,
      introspect, deliver,
      doctor, simulate, .completions,
    ],
    closing: [
      "The host is your own. Where it has nothing for an access group, snapshots are read from"
        + " \(VaultDirectories.systemService), where a system service keeps the machine's sessions"
        + " for the members of Unix groups; what changes a session is for its own user alone.",
      "Standard output carries the answer only; everything else goes to standard error.",
      "Exit codes:\n"
        + ExitCode.allCases.map { "  \(pad($0.rawValue)) \($0.meaning)" }.joined(separator: "\n"),
    ])

  /// The table of the program as far as one command line needs it.
  ///
  /// Making the whole table takes a program that prints one token a tenth of its time.
  /// - Parameter word: the first word of the command line.
  /// - Returns: the table with the one command of that name, where there is one; else all of it.
  package static func table(naming word: String?) -> CommandTable {
    let command: Command? =
      switch word {
      case "token": token
      case "run": run
      case "git-credential": gitCredential
      default: nil
      }
    guard let command else { return table }
    return CommandTable(
      program: program, summary: summary, version: CommandTable.projectVersion, commands: [command])
  }

  private static let unnamed = "Without NS, the namespace is primary."
  private static let program = "tokenvault"
  private static let summary =
    "Access tokens for programs on this machine, kept fresh by tokenvault-host"

  private static let token = Command(
    "token", summary: "Prints the access token and nothing else",
    details: [
      "A token that has ended, or that is not good for long enough, is asked of the host, which"
        + " may take up to 3s."
    ],
    options: [namespace, group, validFor, tokenFormat, noRenew])
  private static let status = Command(
    "status", summary: "Shows what state each namespace is in, why, and what to do next",
    options: [oneNamespace, group, all, json, window])
  private static let watch = Command(
    "watch", summary: "Writes a line at once and at each change of a namespace's state",
    details: watchDetails,
    options: [namespace, group, watchFormat, once, exec, signal] + barOptions)
  private static let run = Command(
    "run", summary: "Runs a command with the access token in ACCESS_TOKEN",
    details: [
      "Ends with the command's own code; 125 when there is no token, 126 and 127 when the command"
        + " cannot be executed or found."
    ],
    operands: [.init("CMD", value: .command, count: .rest)],
    options: [namespace, group, validFor, noRenew, tokenFile])
  private static let signIn = Command(
    "sign-in", summary: "Signs a person in; Ctrl-C cancels", details: [unnamed],
    operands: [namespaceOperand],
    options: [flow, noBrowser, json, loginHint, loginMethod, parameter, complete])
  private static let signOut = Command(
    "sign-out", summary: "Ends a session here and at the provider", details: [unnamed],
    operands: [namespaceOperand], options: [browser, noBrowser, json])
  private static let forget = Command(
    "forget", summary: "Erases all that this machine knows of a session, even what is damaged",
    details: [
      "The provider is told where that can be done within seconds, and not later: a grant that it"
        + " did not hear of ends there by itself. Without a host: tokenvault-host --forget NS."
    ],
    operands: [.init("NS", value: .namespace)], options: [json])
  private static let lock = Command(
    "lock", summary: "Has the host let go of its key; nothing is renewed until it is unlocked",
    details: ["What is published stays readable until it ends, and says that the host is locked."])
  private static let unlock = Command(
    "unlock", summary: "Has the host bring its key back",
    details: [
      "A passphrase, where one is needed, is asked for by systemd-ask-password, or read from standard"
        + " input where that is no terminal."
    ])
  private static let deliver = Command(
    "deliver", summary: "Brings the address of a redirect to the sign-in that waits for it",
    details: [
      "Started by the desktop for a redirect with a scheme of its own. Any program can claim a"
        + " scheme, and what it is started with can be seen in /proc: a loopback redirect has"
        + " neither weakness."
    ],
    operands: [.init("URL", value: .text(name: "URL"), count: .optional)], options: [desktopEntry])
  private static let renew = Command(
    "renew", summary: "Asks the host for a new access token now",
    details: [
      unnamed,
      "A second renewal on demand within 30 s, or within a quarter of a shorter lifetime, ends with"
        + " 75, and says when to ask again.",
    ],
    operands: [namespaceOperand])

  private static let introspect = Command(
    "introspect", summary: "Asks the provider what it holds of the access token",
    details: [
      "The host asks, as the client that it is (RFC 7662); the token is not shown. Many providers"
        + " answer only a client with a secret.",
      unnamed,
      "Ends with 0 when the token is good there, with 80 when it is not.",
    ],
    operands: [namespaceOperand], options: [json])

  private static let doctor = Command(
    "doctor",
    summary: "Looks at everything that the vault needs, and says how to mend what is wrong",
    details: [
      "Nothing is changed. Ends with 0 when all is well, else with the code of the first problem."
    ],
    options: [json])

  private static let simulate = Command(
    "simulate",
    summary: "Puts snapshots into any state, and shows what a widget makes of it",
    details: [
      "It is a program of its own, tokenvault-simulate, as no reader can make a snapshot:\n"
        + "  tokenvault simulate list\n"
        + "  tokenvault simulate set STATE [--in DIRECTORY]\n"
        + "  tokenvault simulate show SCENARIO\n"
        + "  tokenvault simulate run SCENARIO [--speed N] [--json] -- WIDGET...",
      "\"tokenvault simulate run --help\" shows the rules that a widget is judged by.",
    ],
    operands: [.init("WORD", value: .words(of: "tokenvault-simulate"), count: .rest)])

  private static func pad(_ number: Int32) -> String {
    let digits = String(number)
    return digits + String(repeating: " ", count: 3 - digits.count)
  }
}
