import FileSupport
import HostConfiguration
import SessionModel
import Testing

@Suite struct TOMLSyntaxTests {
  @Test(arguments: [
    (
      "[namespaces.a]\nissuer = \"a\"\nissuer = \"b\"\n",
      "3: this is not TOML: cannot redefine existing string 'issuer'; keep one of the two"
    ),
    (
      "[namespaces.a]\n[namespaces.a]\n",
      "2: this is not TOML: cannot redefine existing table 'namespaces.a'; keep one of the two"
    ),
    ("[namespaces.primary\n", "1: this is not TOML: expected ']'"),
    ("\n\nissuer = \n", "3: this is not TOML: expected value"),
    (
      "issuer = x\n",
      "1: this is not TOML: could not determine value type; put text between quotes"
    ),
    (
      "a = \"\\q\"\n",
      "1: this is not TOML: unknown escape sequence '\\q'; write \\\\ for one \\, or use single"
        + " quotes"
    ),
    (
      "a = \"b\nc = 1\n",
      "1: this is not TOML: unescaped control characters other than TAB (U+0009) are explicitly"
        + " prohibited; is a quote missing at the end of the line?"
    ),
    ("a b = 1\n", "1: this is not TOML: expected '='"),
  ])
  func namesTheLineOfASyntaxError(text: String, problem: String) {
    #expect(problems(text) == [problem])
  }

  @Test(arguments: [
    "hunter2", "thunter2", "fhunter2", "123456789012345678901234567890", "0xhunter2",
    "1999-99-99", "\"hunter2", "'hunter2", "hunter2\"", "\"a\" hunter2", "truehunter2",
    "[\"a\", hunter2]", "{ a = hunter2 }", "1hunter2", "inhunter2", "+hunter2",
  ])
  func quotesNoValue(value: String) {
    let lines = problems(namespace("clientSecret = \(value)\n"))
    #expect(lines.count == 1, "\(lines)")
    for line in lines {
      #expect(!line.contains("hunter"), "\(line)")
      #expect(!line.contains("12345"), "\(line)")
    }
  }

  @Test(arguments: [
    "\u{FEFF}" + namespace(""), namespace("").replacing("\n", with: "\r\n"),
    "namespaces = { primary = { issuer = \"https://id.example\", clientId = \"x\" } }",
    "namespaces.primary.issuer = 'https://id.example'\nnamespaces.primary.clientId = \"x\"",
  ])
  func readsTOMLInAnyDress(text: String) throws {
    #expect(try parse(text)[.primary]?.issuer == "https://id.example")
  }

  @Test(arguments: [
    String(repeating: "a.", count: 200_000) + "a = 1",
    "[" + String(repeating: "a.", count: 200_000) + "a]",
    String(repeating: "a = { ", count: 5000), "a = " + String(repeating: "[", count: 100_000),
    "a = \"" + String(repeating: "\\\"", count: 100_000) + "." + String(repeating: "\"", count: 9),
    "\u{0}", "\"\"\"", "'''", "#", "a = '''\n.....'''''", "\\", String(repeating: ".", count: 2000),
  ])
  func survivesWhatIsMeantToBreakIt(text: String) {
    #expect(!problems(text).isEmpty || text == "#")
  }

  @Test func countsDotsOutsideStringsOnly() throws {
    let dots = String(repeating: ".", count: 3000)
    let text = namespace(
      """
      # \(dots) "
      account = "\(dots)\\" \(dots)"
      onError = ['\(dots)', '''\(dots)\n'\(dots)'''', \"\"\"\(dots)\\\"\"\"\(dots)\"\"\"]
      """)
    // The line ends inside the command's words are refused afterwards: they were understood.
    #expect(
      problems(text)
        == ["6: \"onError\" in [namespaces.primary] holds a control character; remove it"])
  }

  @Test func refusesBytesThatAreNoUTF8() {
    let error = #expect(throws: ConfigurationError.self) {
      try ConfigurationFile.parse(
        Array("a = \"".utf8) + [0xFF, 0xFE] + Array("\"".utf8), path: "c.toml",
        environment: .init([:]))
    }
    #expect(error?.description.hasPrefix("c.toml:1: this is not TOML: ") == true)
  }
}
