import StatusBar
import SessionModel
import TestSupport
import Testing

/// What an account calls itself, and what a host says, is text in every bar and nothing else.
@Suite(.timeLimit(.minutes(2))) struct NastyAccountTests {
  @Test(arguments: BarFormat.allCases)
  func sb01EachPieceArrivesAsTextAndNothingElseDoes(format: BarFormat) throws {
    for piece in NastyText.pieces {
      let text = String(decoding: piece, as: UTF8.self)
      try Self.check(format, text)
      try Self.check(format, "a" + text + "b")
      try Self.check(format, text + text)
    }
  }

  @Test(arguments: BarFormat.allCases)
  func sb01PiecesInAnyOrderArriveAsTextAndNothingElseDoes(format: BarFormat) throws {
    var generator = SeededGenerator(seed: 6)
    for _ in 0..<400 { try Self.check(format, NastyText.random(&generator)) }
  }

  @Test(arguments: BarFormat.allCases)
  func sb02ARecordIsShortWhateverIsInIt(format: BarFormat) throws {
    let path = "/" + String(repeating: "p", count: 199)
    let namespace = try #require(Namespace(String(repeating: "n", count: 64)))
    let group = try #require(AccessGroup(String(repeating: "g", count: 64)))
    let actions = try #require(
      BarActions(program: path, namespace: namespace, accessGroup: group))
    var style = BarStyle(template: try BarTemplate("{account}{account}{reason}{next}"))
    style.length = BarStyle.greatestLength
    for text in ["\"", "'", "&", "é", "\\", "名", "𝒳", "#", "%{", "$", "\u{10FFFF}", "ש"] {
      let long = String(repeating: text, count: 10_000)
      for session in [SessionState.valid, .corrupt] {
        let state = BarState(
          namespace: namespace.name, account: long, session: session, host: .stale,
          expiresIn: .seconds(1), reason: long, nextStep: long)
        let record = BarWriter(format, style: style, actions: actions).record(of: state)
        #expect(record.utf8.count < 4096, "\(text): \(record.utf8.count)")
        _ = try ShownRecord.of(record, format)
      }
    }
  }

  @Test(arguments: [
    "a|b", "<b>", "%{A1:x:}", "#(x)#[y]", "${exec x}", "c:\\d", "--x", "a&amp;b", "##", "%%",
  ])
  func sb01AShortNameIsShownWhole(name: String) throws {
    for format in BarFormat.allCases {
      let record = BarWriter(format).record(of: ExampleState.valid(account: name))
      let shown = try ShownRecord.of(record, format).text
      #expect(shown == ShownRecord.fit("● \(name) valid 42m", format), "\(format)")
    }
  }

  @Test func sb03ControlCharactersAndMarksOfDirectionAreNotPassedOn() {
    let account = "a\u{1B}[31m\nb\u{202E}c\u{0}\u{2066}d\u{FEFF}\u{FFFE}\u{85}e"
    let record = BarWriter(.plain).record(of: ExampleState.valid(account: account))
    #expect(record == "● a [31m bc d\u{FFFD} e valid 42m\n")
  }

  @Test func sb03TextFromRightToLeftStaysWhereItIs() {
    let state = ExampleState.valid(account: "שלום 5")
    let drawn = BarWriter(.tint2).record(of: state)
    #expect(drawn == "● \u{2068}שלום 5\u{2069} valid 42m\n")
    #expect(BarWriter(.plain).record(of: state) == "● שלום 5 valid 42m\n")
  }

  @Test func sb04TextIsCutBetweenCharactersAndThenEscaped() throws {
    var style = BarStyle(template: try BarTemplate("{account}"))
    style.length = 4
    func cut(_ account: String) -> String {
      BarWriter(.tint2, style: style).record(of: ExampleState.valid(account: account))
    }
    #expect(cut("&&&&") == "&amp;&amp;&amp;&amp;\n")
    #expect(cut("&&&&&") == "&amp;&amp;&amp;…\n")
    #expect(cut("a👩‍👩‍👧‍👦b👩‍👩‍👧‍👦c") == "a👩‍👩‍👧‍👦b…\n")
    #expect(cut("ab cd") == "ab…\n")
  }

  /// Shows one text everywhere where text of others can be, and reads the record.
  private static func check(_ format: BarFormat, _ text: String) throws {
    for host in [HostCondition.reported(.ok), .stale] {
      let state = ExampleState.valid(account: text, host: host, reason: text, nextStep: text)
      let record = BarWriter(format, actions: ExampleState.actions).record(of: state)
      #expect(record.utf8.count < 4096)
      let shown = try ShownRecord.of(record, format)
      let plain = String(BarWriter(.plain).record(of: state).dropLast())
      #expect(shown.text == ShownRecord.fit(plain, format), "\(Array(text.utf8.prefix(40)))")
      #expect(plain.hasSuffix(host == .stale ? " stale 42m" : " valid 42m"))
      let status = "\(ExampleState.program) status --window -n primary"
      let renew = "\(ExampleState.program) renew primary"
      switch format {
      case .polybar, .lemonbar: #expect(shown.commands == [status, renew, status])
      case .genmon: #expect(shown.commands == [status])
      case .argos:
        #expect(shown.commands == [renew, "\(ExampleState.program) sign-in primary", status])
      default: #expect(shown.commands == [])
      }
    }
  }
}
