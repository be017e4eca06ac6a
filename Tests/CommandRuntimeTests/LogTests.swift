import CommandRuntime
import FileSupport
import Synchronization
import TestSupport
import Testing

@Suite struct LogTests {
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  private func lines(
    _ style: Log.Style, threshold: Log.Level = .debug, _ body: (Log) -> Void
  ) -> [String] {
    let lines = Lines()
    body(
      Log(program: "agent", threshold: threshold, style: style) { line in
        lines.all.withLock { $0.append(line) }
      })
    return lines.all.withLock { $0 }
  }

  private func terminal(_ isTerminal: Bool) -> Terminal {
    Terminal(isTerminal: isTerminal, columns: nil, environment: FileSupport.Environment([:]))
  }

  private func everyLevel(_ log: Log) {
    log.error("e")
    log.warning("w")
    log.info("i")
    log.debug("d")
  }

  @Test func writesForAPerson() {
    #expect(
      lines(.plain(terminal(false)), everyLevel)
        == ["agent: error: e\n", "agent: warning: w\n", "agent: i\n", "agent: debug: d\n"])
    #expect(
      lines(.plain(terminal(true)), threshold: .error, everyLevel)
        == ["agent: \u{1b}[31merror: \u{1b}[0me\n"])
  }

  @Test func writesPrioritiesForTheJournal() {
    #expect(lines(.journal, everyLevel) == ["<3>e\n", "<4>w\n", "<6>i\n", "<7>d\n"])
  }

  @Test(arguments: zip(Log.Level.allCases, 1...4))
  func writesWhatIsWanted(threshold: Log.Level, count: Int) {
    #expect(lines(.journal, threshold: threshold, everyLevel).count == count)
  }

  @Test func makesNoMessageThatIsNotWritten() {
    var made = 0
    func message() -> String {
      made += 1
      return "text"
    }
    _ = lines(.journal, threshold: .info) { log in
      log.debug(message())
      log.info(message())
    }
    #expect(made == 1)
  }

  @Test func keepsEveryMessageOnOneLine() {
    #expect(
      lines(.journal) { $0.info("a\n<3>forged\u{1b}[2J") } == ["<6>a\\u{a}<3>forged\\u{1b}[2J\n"])
  }

  @Test func believesTheJournalOnlyWhereItReallyReads() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("", to: "stderr")
    let status = try FileStatus(of: path, in: -100)
    let right = "\(status.device):\(status.inode)"
    #expect(Log.leadsToJournal(status, .init(["JOURNAL_STREAM": right])))
    #expect(!Log.leadsToJournal(status, .init(["JOURNAL_STREAM": right + "0"])))
    #expect(!Log.leadsToJournal(status, .init([:])))
    #expect(!Log.leadsToJournal(nil, .init(["JOURNAL_STREAM": right])))
  }
}
