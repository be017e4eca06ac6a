import CommandRuntime
import Testing

@Suite struct OptionParserTests {
  private func run(
    _ words: [String], table: CommandTable = ExampleTable.vault
  ) throws -> CommandInvocation {
    guard case .run(let invocation) = try OptionParser(table).parse(words) else {
      throw UsageError("not a command", title: "test")
    }
    return invocation
  }

  @Test(arguments: [
    ["-n", "work"], ["-nwork"], ["--namespace", "work"], ["--namespace=work"],
  ])
  func readsEverySpellingOfAValue(words: [String]) throws {
    #expect(try run(["token"] + words).text(ExampleTable.namespace) == "work")
  }

  @Test func readsClusteredFlags() throws {
    let invocation = try run(["status", "-jan", "work"])
    #expect(invocation.command == "status")
    #expect(invocation.has(ExampleTable.json))
    #expect(invocation.has(ExampleTable.all))
    #expect(invocation.text(ExampleTable.namespace) == "work")
    #expect(try !run(["status"]).has(ExampleTable.json))
  }

  @Test func readsTypedValues() throws {
    let invocation = try run([
      "token", "--valid-for", "2m30s", "--tries=3", "--format", "json",
    ])
    #expect(invocation.duration(ExampleTable.validFor) == .seconds(150))
    #expect(invocation.number(ExampleTable.tries) == 3)
    #expect(invocation.text(ExampleTable.format) == "json")
    #expect(invocation.duration(ExampleTable.tries) == nil)
  }

  @Test func keepsRepeatedAssignmentsInOrder() throws {
    let invocation = try run([
      "sign-in", "--parameter", "prompt=consent", "work", "--parameter=x=a=b", "--parameter", "e=",
    ])
    #expect(
      invocation.assignments(ExampleTable.parameter).map { "\($0.name) \($0.value)" }
        == ["prompt consent", "x a=b", "e "])
    #expect(invocation.operands == ["work"])
  }

  @Test(arguments: [
    (["run", "ls", "-l", "--namespace", "x"], ["ls", "-l", "--namespace", "x"]),
    (["run", "--", "-odd", "--"], ["-odd", "--"]),
    (["run", "-n", "work", "--", "ls"], ["ls"]),
    (["sign-in", "--", "-n"], ["-n"]), (["sign-in", "-"], ["-"]), (["completions"], []),
  ])
  func leavesOperandsAlone(words: [String], operands: [String]) throws {
    #expect(try run(words).operands == operands)
  }

  @Test func readsAProgramThatNeedsNoCommand() throws {
    let config = CommandOption("config", value: .file, help: "")
    #expect(try run([], table: ExampleTable.host).command == "")
    #expect(try run(["--config", "a.toml"], table: ExampleTable.host).text(config) == "a.toml")
    #expect(try run(["example-config"], table: ExampleTable.host).command == "example-config")
  }

  @Test(arguments: [
    (["tokne"], "unknown command \"tokne\"; did you mean \"token\"? See \"vault --help\"."),
    (["frobnicate"], "unknown command \"frobnicate\". See \"vault --help\"."),
    (["\u{1b}[2J"], "unknown command \"\\u{1b}[2J\". See \"vault --help\"."),
    ([], "a command is missing. See \"vault --help\"."),
    (["--json"], "a command has to stand before the option \"--json\". See \"vault --help\"."),
    (
      ["help", "statsu"],
      "unknown command \"statsu\"; did you mean \"status\"? See \"vault --help\"."
    ),
    (
      ["token", "--vaild-for", "3s"],
      "unknown option \"--vaild-for\" of \"vault token\"; did you mean \"--valid-for\"? "
        + "See \"vault token --help\"."
    ),
    (
      ["token", "--secret=hunter2"],
      "unknown option \"--secret\" of \"vault token\". See \"vault token --help\"."
    ),
    (
      ["status", "-jx"], "unknown option \"-x\" of \"vault status\". See \"vault status --help\"."
    ),
    (
      ["status", "-json"],
      "unknown option \"-s\" of \"vault status\"; did you mean \"--json\"? "
        + "See \"vault status --help\"."
    ),
    (
      ["status", "--json=yes"],
      "the option \"--json\" takes no value. See \"vault status --help\"."
    ),
    (
      ["token", "--valid-for"],
      "the option \"--valid-for\" needs a value: DURATION. See \"vault token --help\"."
    ),
    (
      ["token", "-n"], "the option \"-n\" needs a value: NS. See \"vault token --help\"."
    ),
    (
      ["token", "-n", "a", "--namespace", "b"],
      "the option \"--namespace\" may be given once only. See \"vault token --help\"."
    ),
    (
      ["token", "--namespace="],
      "the option \"--namespace\" cannot be empty. See \"vault token --help\"."
    ),
    (
      ["token", "--valid-for", "30"],
      "the option \"--valid-for\": \"30\" is not a duration: its unit is missing; "
        + "write it like 30s, 2m30s, 500ms or 1h. See \"vault token --help\"."
    ),
    (
      ["token", "--format", "jsno"],
      "the option \"--format\" takes raw, header or json, not \"jsno\"; did you mean \"json\"? "
        + "See \"vault token --help\"."
    ),
    (
      ["token", "--tries", "-1"],
      "the option \"--tries\" takes a whole number (N), not \"-1\". See \"vault token --help\"."
    ),
    (
      ["sign-in", "--parameter", "hunter2", "work"],
      "the option \"--parameter\" takes K=V. See \"vault sign-in --help\"."
    ),
    (["sign-in"], "NS is missing behind \"vault sign-in\". See \"vault sign-in --help\"."),
    (["run"], "CMD is missing behind \"vault run\". See \"vault run --help\"."),
    (
      ["sign-in", "work", "hunter2"],
      "\"vault sign-in\" takes NS, but 2 words were given. See \"vault sign-in --help\"."
    ),
    (
      ["token", "hunter2"],
      "\"vault token\" takes options only, but a word was given; a namespace stands behind -n. "
        + "See \"vault token --help\"."
    ),
    (
      ["token", "no namespace"],
      "\"vault token\" takes options only, but a word was given. "
        + "See \"vault token --help\"."
    ),
    (
      ["completions", "bsh"],
      "SHELL takes bash, zsh or fish, not \"bsh\"; did you mean \"bash\"? "
        + "See \"vault completions --help\"."
    ),
  ])
  func saysWhatIsWrongAndWhatWasMeant(words: [String], text: String) {
    let error = #expect(throws: UsageError.self) {
      try OptionParser(ExampleTable.vault).parse(words)
    }
    #expect(error?.description == text)
    #expect(error?.exitCode == .usage)
  }

  @Test func namesTheNearestOptionWithoutACommand() {
    let error = #expect(throws: UsageError.self) {
      try OptionParser(ExampleTable.host).parse(["--confg", "x"])
    }
    #expect(
      error?.description
        == "unknown option \"--confg\" of \"host\"; did you mean \"--config\"? "
        + "See \"host --help\".")
  }
}
