import SessionModel
import Testing

@Suite struct PrintableTextTests {
  @Test(arguments: [
    ("plain", "plain"), ("grüße 🙂", "grüße 🙂"), ("a\nb", "a\\u{a}b"),
    ("\u{1b}[31mred", "\\u{1b}[31mred"), ("a\u{202e}b", "a\\u{202e}b"),
    ("a\r\n", "a\\u{d}\\u{a}"), ("\u{9b}x", "\\u{9b}x"), ("", ""),
  ])
  func showsControlCharactersByNumber(text: String, line: String) {
    #expect(PrintableText.oneLine(text) == line)
  }

  @Test(arguments: [("ab", "\"ab\""), ("abc", "\"abc\""), ("abcd", "\"abc...\""), ("", "\"\"")])
  func cutsWhatIsLong(text: String, quoted: String) {
    #expect(PrintableText.quoted(text, limit: 3) == quoted)
  }
}
