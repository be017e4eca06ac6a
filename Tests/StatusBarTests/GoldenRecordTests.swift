import StatusBar
import SessionModel
import Testing

/// Each bar's records, letter by letter.
@Suite struct GoldenRecordTests {
  private static let valid: [(BarFormat, String)] = [
    (
      .waybar,
      #"{"text":"\u25cf R&amp;D valid 42m","alt":"valid","#
        + #""tooltip":"primary: valid, 42m left\nR&amp;D","class":["valid","good"],"#
        + #""percentage":70}"# + "\n"
    ),
    (
      .i3bar,
      #"[{"name":"tokenvault","instance":"primary","full_text":"\u25cf R&D valid 42m","#
        + #""short_text":"\u25cf 42m","urgent":false,"markup":"none"}],"# + "\n"
    ),
    (
      .i3blocks,
      #"{"full_text":"● R&D valid 42m","short_text":"● 42m","urgent":false,"#
        + #""markup":"none"}"# + "\n"
    ),
    (.i3blocksRaw, "● R&D valid 42m\n● 42m\n"),
    (
      .polybar,
      "%{A1:/usr/local/bin/tokenvault status --window -n primary:}"
        + "%{A2:/usr/local/bin/tokenvault renew primary:}"
        + "%{A3:/usr/local/bin/tokenvault status --window -n primary:}"
        + "● R&D valid 42m%{A}%{A}%{A}\n"
    ),
    (
      .genmon,
      """
      <txt>● R&amp;D valid 42m</txt>
      <tool>primary: valid, 42m left
      R&amp;D</tool>
      <txtclick>/usr/local/bin/tokenvault status --window -n primary</txtclick>

      """
    ),
    (.tint2, "● R&amp;D valid 42m\n"), (.conky, "● R&D valid 42m\n"),
    (.tmux, "● R&D valid 42m\n"), (.plain, "● R&D valid 42m\n"),
    (
      .eww,
      #"{"text":"\u25cf R&D valid 42m","tooltip":"primary: valid, 42m left\nR&D","#
        + #""state":"valid","severity":"good","icon":"\u25cf","remaining":"42m","#
        + #""percentage":70}"# + "\n"
    ),
    (
      .argos,
      """
      ● R&amp;D valid 42m | emojize=false unescape=false
      ---
      primary&#58; valid, 42m left | emojize=false unescape=false
      R&amp;D | emojize=false unescape=false
      ---
      Renew | bash="/usr/local/bin/tokenvault renew primary" terminal=false
      Sign in | bash="/usr/local/bin/tokenvault sign-in primary" terminal=false
      Show the status | bash="/usr/local/bin/tokenvault status --window -n primary" terminal=false

      """
    ),
  ]

  @Test(arguments: valid)
  func sb05AGoodSession(format: BarFormat, record: String) {
    let state = ExampleState.valid(account: "R&D")
    #expect(BarWriter(format, actions: ExampleState.actions).record(of: state) == record)
  }

  private static let over: [(BarFormat, String)] = [
    (
      .waybar,
      #"{"text":"\u25b2 ada@example.org sign in again","alt":"reauthentication-required","#
        + #""tooltip":"primary: sign in again\nada@example.org\nprimary has to sign in again: the"#
        + #" provider has ended the session\nrun: tokenvault sign-in primary","#
        + #""class":["reauthentication-required","critical"],"percentage":0}"# + "\n"
    ),
    (
      .swaybar,
      #"[{"name":"tokenvault","instance":"primary","full_text":"\u25b2 ada@example.org sign in"#
        + ##" again","short_text":"\u25b2 sign in again","color":"#e5484d","urgent":true,"##
        + #""markup":"none"}],"# + "\n"
    ),
    (.i3blocksRaw, "▲ ada@example.org sign in again\n▲ sign in again\n#e5484d\n"),
    (.polybar, "%{F#e5484d}▲ ada@example.org sign in again%{F-}\n"),
    (.lemonbar, "%{F#e5484d}▲ ada@example.org sign in again%{F-}\n"),
    (.tint2, "<span foreground=\"#e5484d\">▲ ada@example.org sign in again</span>\n"),
    (.conky, "${color #e5484d}▲ ada@example.org sign in again${color}\n"),
    (.tmux, "#[fg=#e5484d]▲ ada@example.org sign in again#[default]\n"),
  ]

  @Test(arguments: over)
  func sb05AnEndedSession(format: BarFormat, record: String) {
    #expect(BarWriter(format).record(of: ExampleState.over) == record)
  }

  @Test func theHeaderOfI3barComesBeforeTheFirstRecordInOnePiece() {
    var display = BarDisplay(BarWriter(.i3bar), state: ExampleState.over)
    let first = display.due ?? ""
    #expect(first.hasPrefix("{\"version\":1,\"click_events\":true}\n[\n[{"))
    display.noteWritten()
    #expect(display.due == nil)
    display.take(ExampleState.valid())
    #expect(display.due?.hasPrefix("[{") == true)
    #expect(BarWriter(.waybar).opening == "")
  }

  @Test func aClickOnASessionThatIsOverSignsIn() {
    let record = BarWriter(.polybar, actions: ExampleState.actions).record(of: ExampleState.over)
    #expect(record.hasPrefix("%{A1:/usr/local/bin/tokenvault sign-in primary:}%{A2:"))
    let genmon = BarWriter(.genmon, actions: ExampleState.actions).record(of: ExampleState.over)
    #expect(genmon.hasSuffix("<txtclick>/usr/local/bin/tokenvault sign-in primary</txtclick>\n"))
  }
}
