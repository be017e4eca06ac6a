import CommandRuntime
import Testing

@Suite struct HelpTextTests {
  private func shown(_ words: [String], _ table: CommandTable, width: Int = 80) throws -> String {
    guard case .show(let text) = try OptionParser(table, width: width).parse(words) else {
      throw UsageError("nothing to show", title: "test")
    }
    return text
  }

  @Test(arguments: [["--help"], ["-h"], ["help"], ["help", "--json"]])
  func showsTheProgram(words: [String]) throws {
    #expect(
      try shown(words, ExampleTable.vault) == """
        Usage: vault COMMAND [OPTION]...

        Reads the vault.

        Commands:
          token        Prints the access token and nothing else
          status       Shows states
          sign-in      Signs in
          run          Runs a command
          completions  Prints completions

        Options:
          -h, --help     Shows this help
              --version  Shows the version

        "vault COMMAND --help" shows the options of a command.

        Standard output carries the answer only.

        """)
  }

  @Test(arguments: [["token", "--help"], ["help", "token"], ["token", "-n", "x", "-h", "--bad"]])
  func showsACommand(words: [String]) throws {
    #expect(
      try shown(words, ExampleTable.vault) == """
        Usage: vault token [OPTION]...

        Prints the access token and nothing else.

        Options:
          -n, --namespace NS        The namespace; "primary" by default
              --valid-for DURATION  The least time that the token has to live
          -f, --format raw|header|json
                                    How the token is written
              --tries N             How many tries
          -h, --help                Shows this help

        Exit codes:
          0   done
          80  expired

        """)
  }

  @Test func showsOperandsInTheUsage() throws {
    let page = HelpText(ExampleTable.vault)
    let usages = ExampleTable.vault.commands.map {
      String(page.page(of: $0).prefix { $0 != "\n" })
    }
    #expect(
      usages == [
        "Usage: vault token [OPTION]...", "Usage: vault status [OPTION]...",
        "Usage: vault sign-in [OPTION]... NS", "Usage: vault run [OPTION]... [--] CMD...",
        "Usage: vault completions [OPTION]... [SHELL]",
      ])
  }

  @Test func showsAProgramThatNeedsNoCommand() throws {
    #expect(
      try shown(["--help"], ExampleTable.host) == """
        Usage: host [OPTION]...
               host COMMAND [OPTION]...

        Keeps sessions alive.

        Commands:
          example-config  Prints a configuration

        Options:
              --config FILE  The configuration
          -h, --help         Shows this help
              --version      Shows the version

        "host COMMAND --help" shows the options of a command.

        """)
  }

  @Test(arguments: [1, 40, 60, 80, 100, 1000])
  func keepsWithinTheWidth(width: Int) {
    let limit = min(max(width, 40), 100)
    let help = HelpText(ExampleTable.vault, width: width)
    for page in [help.overview] + ExampleTable.vault.commands.map(help.page(of:)) {
      for line in page.split(separator: "\n") where !line.hasPrefix("Usage:") {
        #expect(line.count <= limit, "\(line)")
      }
    }
  }

  @Test(arguments: [ExampleTable.vault, ExampleTable.host])
  func showsTheVersion(table: CommandTable) throws {
    #expect(try shown(["--version"], table) == table.program + " 1.2.3\n")
  }
}
