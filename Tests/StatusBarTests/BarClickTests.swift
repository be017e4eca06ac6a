import SessionModel
import StatusBar
import TestSupport
import Testing

/// Clicks as bars tell of them, and what they ask for.
@Suite struct BarClickTests {
  @Test(arguments: [
    (#"{"name":"tokenvault","instance":"primary","button":1,"modifiers":["Shift"],"x":3}"#, 1),
    (#",{"name":"tokenvault","button":3,"event":273,"scale":1.5}"#, 3), ("2", 2), (" 1 \r\n", 1),
    ("[", nil), ("", nil), (",", nil), ("{", nil), (#"{"button":"1"}"#, nil),
    (#"{"button":1.5}"#, nil), (#"{"button":1,"button":2}"#, nil), ("{} trailing", nil),
    (#"{"button":1}{"button":1}"#, nil),
  ])
  func sb07ALineIsAClickOrNothing(line: String, button: Int?) {
    #expect(BarClick(line.utf8)?.button == button)
  }

  @Test func sb07LinesComeInPiecesOrTogether() {
    var lines = ClickLines()
    #expect(lines.take("[\n{\"but".utf8) == [])
    #expect(lines.take("ton\":1}\n,{\"button\":2}\n,".utf8).map(\.button) == [1, 2])
    #expect(lines.take(Array(repeating: 0x20, count: 100_000)) == [])
    #expect(lines.take("{\"button\":1}\n{\"button\":3}\n".utf8).map(\.button) == [3])
  }

  @Test func sb07TheLeftButtonDoesWhatTheStateCallsFor() {
    for state in ExampleState.all {
      let needsSignIn = [.signedOut, .reauthenticationRequired, .absent].contains(state.condition)
      #expect(
        BarAction.of(button: 1, in: state.condition) == (needsSignIn ? .signIn : .status))
      #expect(BarAction.of(button: 2, in: state.condition) == .renew)
      #expect(BarAction.of(button: 3, in: state.condition) == .status)
      #expect(BarAction.of(button: 4, in: state.condition) == nil)
    }
  }

  @Test func anActionNamesTheNamespaceAndTheGroup() throws {
    let group = try #require(AccessGroup("bots"))
    let namespace = try #require(Namespace("work"))
    let actions = try #require(
      BarActions(program: "/opt/tv-1.0/tokenvault", namespace: namespace, accessGroup: group))
    #expect(actions.words(for: .renew) == ["/opt/tv-1.0/tokenvault", "renew", "work"])
    #expect(
      actions.words(for: .status)
        == ["/opt/tv-1.0/tokenvault", "status", "--window", "-n", "work", "-g", "bots"])
  }

  @Test(arguments: [
    "tokenvault", "./tokenvault", "", "/a b/tokenvault", "/a:b", "/a%{A}", "/a\"b", "/a;b", "/a$b",
    "/é", "/a|b", "/" + String(repeating: "a", count: 200),
  ])
  func sb08APathThatSomeBarCannotBeGivenMakesNoAction(path: String) {
    #expect(BarActions(program: path) == nil)
  }

  /// Signs of paths that each bar's parser and a shell take as they are.
  @Test(arguments: BarFormat.allCases)
  func sb08ClicksStartAProgramAtAPathOfPlainSigns(format: BarFormat) throws {
    let path = "/opt/tv@2,x=y_z+1.0-a/tokenvault"
    let actions = try #require(BarActions(program: path))
    #expect(BarExample.text(format, actions).contains("\(path) watch --format"))
    let record = BarWriter(format, actions: actions).record(of: ExampleState.over)
    for command in try ShownRecord.of(record, format).commands {
      #expect(command.hasPrefix("\(path) "), "\(format)")
    }
  }
}

/// The lines for a bar's configuration.
@Suite struct BarExampleTests {
  @Test(arguments: BarFormat.allCases)
  func sb09EachNamesTheProgramByItsPath(format: BarFormat) throws {
    let group = try #require(AccessGroup("bots"))
    let actions = try #require(BarActions(program: ExampleState.program, accessGroup: group))
    let text = BarExample.text(format, actions)
    let command = "\(ExampleState.program) watch --format \(format.rawValue) -n primary -g bots"
    #expect(text.contains(command))
    #expect(text.hasSuffix("\n"))
  }

  /// The one that has to be told of a change needs no number of a panel's item for it.
  @Test func xfcesMonitorsAreAllToldOfAChange() throws {
    let actions = try #require(ExampleState.actions)
    let text = BarExample.text(.genmon, actions)
    #expect(text.contains("# Exec=\(ExampleState.program) watch -n primary --exec \"dbus-send "))
    #expect(text.contains(" string:genmon string:refresh variant:boolean:true\"\n"))
    // The same as in the sample, which a real panel is tried with.
    let sample = try TestFile.text(
      PackageLayout.root + "/Samples/bars/genmon/tokenvault-genmon.desktop")
    for line in sample.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(text.contains("# \(line)\n"))
    }
  }

  @Test func aBarThatRunsACommandByAShellLetsItReplaceTheShell() throws {
    let actions = try #require(ExampleState.actions)
    for format in [BarFormat.waybar, .i3bar, .swaybar, .i3blocks, .polybar, .tint2, .tmux] {
      #expect(BarExample.text(format, actions).contains("exec \(ExampleState.program) watch"))
    }
  }

  @Test func aBarThatAsksAgainAsksEach30Seconds() throws {
    let actions = try #require(ExampleState.actions)
    let periods: [BarFormat: String] = [
      .i3blocksRaw: "interval=30\n", .genmon: "UpdatePeriod=30000\n", .conky: "${execpi 30 ",
      .argos: ".30s.sh",
    ]
    for format in BarFormat.allCases where format.isPolled {
      let period = try #require(periods[format])
      #expect(BarExample.text(format, actions).contains(period))
    }
  }
}
