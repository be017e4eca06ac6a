import DevelopmentProvider
import TestSupport
import Testing

/// What a program that `tokenvault run` turns into finds: all that was given, and one token.
@Suite(.timeLimit(.minutes(2)))
struct RunCommandTests {
  /// Has a shell run `tokenvault run` with a word and variables that a Swift string cannot hold.
  private static func run(_ options: String, _ script: String) async throws -> ToolResult {
    let provider = try LoopbackProvider.approving()
    let machine = try HostMachine()
    try machine.configure(issuer: provider.issuer)
    let host = try await machine.startHost()
    #expect(try await machine.signIn().status == 0)
    let program = PackageLayout.product("tokenvault")
    let result = try await ToolRunner.run(
      ToolRequest(
        "/bin/bash",
        [
          "-c",
          """
          export LATIN=$'caf\\xe9' ACCENT=$'\\xcc\\x81x' BEARER_TOKEN_FILE=/stale ACCESS_TOKEN=stale
          exec '\(program)' run \(options) -- /bin/bash -c '\(script)' name $'\\xff\\xfe'
          """,
        ], environment: machine.environment))
    #expect(await machine.end(host).status == 0)
    return result
  }

  @Test func wordsAndVariablesArePassedByteForByte() async throws {
    let result = try await Self.run("", "printf %s $1 \"$LATIN\" \"$ACCENT\"")
    let expected: [UInt8] = [0xFF, 0xFE] + Array("caf".utf8) + [0xE9] + [0xCC, 0x81, 0x78]
    #expect(result.outputBytes == expected, "\(result.error)")
    #expect(result.status == 0)
  }

  @Test(arguments: [("", "ACCESS_TOKEN"), ("--token-file", "BEARER_TOKEN_FILE")])
  func anInheritedTokenOfTheOtherFormIsTakenAway(options: String, set: String) async throws {
    let result = try await Self.run(
      options, "echo ${ACCESS_TOKEN+ACCESS_TOKEN} ${BEARER_TOKEN_FILE+BEARER_TOKEN_FILE}")
    #expect(result.output == set + "\n", "\(result.error)")
  }

  @Test func noStreamThatWasClosedIsAPlaceForTheToken() async throws {
    let result = try await Self.run(
      "--token-file <&- >&-",
      "test -e /proc/self/fd/0 || test -e /proc/self/fd/1 || echo closed >&2")
    #expect(result.error == "closed\n")
  }
}
