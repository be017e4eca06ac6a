import CommandRuntime
import FileSupport
import Glibc
import HostControl
import SessionModel
import TestSupport
import Testing
import VaultReporting

@Suite struct VaultExaminationTests {
  /// A machine on which everything is as it should be.
  private static var healthy: VaultFacts {
    var facts = VaultFacts()
    facts.runtime = [
      .init("/run/user/7/tokenvault", .fine, isHeld: true), .init("/state/run", .missing),
    ]
    facts.state = .init("/state", .fine)
    facts.keys = .init("/keys", .fine)
    facts.masterKey = .fine
    facts.hasStore = true
    facts.inotify = InotifyLimits(instances: 128, watches: 65_536)
    return facts
  }

  private static func status(
    _ session: String, _ host: String = "ok", reason: String? = nil, next: String? = nil
  ) -> NamespaceStatus {
    NamespaceStatus(
      namespace: .primary, group: .default, session: session, host: host, reason: reason,
      nextStep: next)
  }

  private static func answer(_ statuses: NamespaceStatus...) -> VaultExamination.HostAnswer {
    .success(.init(statuses: statuses))
  }

  @Test func whereAllIsWellThereIsNothingToDo() {
    let findings = VaultExamination.findings(Self.healthy, host: Self.answer(Self.status("valid")))
    #expect(findings.allSatisfy { $0.level == .fine && $0.mend == nil })
    #expect(
      findings.map(\.check) == [
        "environment", "runtime-directory", "state-directory", "key-directory", "key-file",
        "files", "inotify", "host", "session",
      ])
    #expect(ExitCode(findings) == .done)
  }

  private static let strange = FileError.insecure(
    path: "/keys/master.key", .mode(0o644, allowed: 0o600))

  private struct Case: Sendable, CustomTestStringConvertible {
    let change: @Sendable (inout VaultFacts) -> Void
    let finding: Finding
    let code: ExitCode

    init(
      _ finding: Finding, _ code: ExitCode, _ change: @escaping @Sendable (inout VaultFacts) -> Void
    ) {
      self.change = change
      self.finding = finding
      self.code = code
    }

    var testDescription: String { finding.text }
  }

  private static let cases = [
    Case(
      Finding(
        "environment", .problem, "HOME is not an absolute path and counts as unset",
        mend: "set it to an absolute path, for the host and for its readers"), .configuration
    ) { $0.relativeVariables = ["HOME"] },
    Case(
      Finding(
        "environment", .problem, "HOME is not set, so nothing says where the host's state is",
        mend: "set HOME, or TOKENVAULT_STATE_DIR and TOKENVAULT_KEY_DIR"), .configuration
    ) { $0.state = nil },
    Case(
      Finding(
        "environment", .advice,
        "XDG_RUNTIME_DIR is not set, as in a cron job: the host is looked for in"
          + " /run/user/7/tokenvault and /state/run",
        mend: "where the host uses another directory, set TOKENVAULT_RUNTIME_DIR to it"), .done
    ) {
      $0.namesRuntime = false
      $0.runtime[0].isHeld = false
    },
    Case(
      Finding(
        "runtime-directory", .advice, "there is neither /run/user/7/tokenvault nor /state/run",
        mend: "the host makes it when it starts"), .done
    ) { $0.runtime[0] = .init("/run/user/7/tokenvault", .missing) },
    Case(
      Finding(
        "runtime-directory", .advice,
        "/run/user/7/tokenvault, the runtime directory, does not exist",
        mend: "the host makes it when it starts"), .done
    ) { $0.runtime = [.init("/run/user/7/tokenvault", .missing)] },
    Case(
      Finding(
        "runtime-directory", .problem,
        "hosts run in /run/user/7/tokenvault and in /state/run; readers see the first",
        mend: "stop all but one of them"), .permission
    ) { $0.runtime[1] = .init("/state/run", .fine, isHeld: true) },
    Case(
      Finding(
        "runtime-directory", .problem,
        "the host works in /state/run, but readers take /run/user/7/tokenvault",
        mend: "set TOKENVAULT_RUNTIME_DIR to one of them for all, and start the host again"),
      .permission
    ) {
      $0.runtime[0].isHeld = false
      $0.runtime[1] = .init("/state/run", .fine, isHeld: true)
    },
    Case(
      Finding(
        "runtime-directory", .problem, "/run/user/7/tokenvault: mode 0750 lets others in",
        mend: "run: chmod 0700 '/run/user/7/tokenvault'"), .permission
    ) {
      let path = $0.runtime[0].path
      $0.runtime[0].place = .unusable(.insecure(path: path, .mode(0o750, allowed: 0o700)))
    },
    Case(
      Finding(
        "runtime-directory", .fine,
        "/state/run is the runtime directory, with the right owner"
          + " and mode"), .done
    ) {
      let path = $0.runtime[0].path
      $0.runtime = [
        .init(path, .unusable(.insecure(path: path, .owner(0, expected: 7)))),
        .init("/state/run", .fine, isHeld: true),
      ]
    },
    Case(
      Finding(
        "key-file", .problem, "/keys/master.key: mode 0644 lets others in",
        mend: "run: chmod 0600 '/keys/master.key'"), .permission
    ) {
      $0.masterKey = .unusable(strange)
      $0.faults = [strange]
    },
    Case(
      Finding(
        "key-file", .problem, "/keys has no master key, which alone opens the stored sessions",
        mend: "put it back from a backup before the host starts, or sign in again"), .permission
    ) { $0.masterKey = .missing },
    Case(
      Finding(
        "key-file", .advice, "/keys has no master key", mend: "the host makes it when it starts"),
      .done
    ) {
      $0.masterKey = .missing
      $0.hasStore = false
    },
    Case(
      Finding(
        "files", .problem, "/state/x: has a second name (hard link)", mend: "remove it"),
      .permission
    ) { $0.faults = [.insecure(path: "/state/x", .linked)] },
    Case(
      Finding(
        "files", .advice, "/home: its group may replace what is below it",
        mend: "if the group has other members, run: chmod g-w '/home'"), .done
    ) { $0.groupWritableParents = ["/home"] },
    Case(
      Finding(
        "file-system", .advice,
        "/run/user/7/tokenvault is on a network file system: changes are polled for, not told",
        mend: "set TOKENVAULT_RUNTIME_DIR to a directory of this machine"), .done
    ) { $0.runtime[0].isRemote = true },
    Case(
      Finding(
        "file-system", .advice,
        "/state is on a network file system, where another machine's host may find it",
        mend: "set TOKENVAULT_STATE_DIR to a directory of this machine"), .done
    ) { $0.state?.isRemote = true },
    Case(
      Finding(
        "file-system", .advice,
        "/keys is on a network file system: whoever runs that has the host's keys",
        mend: "set TOKENVAULT_KEY_DIR to a directory of this machine"), .done
    ) { $0.keys?.isRemote = true },
    Case(
      Finding(
        "inotify", .problem,
        "all 128 inotify instances of this user are taken: watchers poll",
        mend: "run: sudo sysctl fs.inotify.max_user_instances=512"), .temporary
    ) { $0.inotify = InotifyLimits(instances: 128, watches: 65_536, isInstanceFree: false) },
    Case(
      Finding(
        "inotify", .advice, "a user may have 64 inotify instances and 65536 watches",
        mend: "for many widgets, run: sudo sysctl fs.inotify.max_user_instances=512"
          + " fs.inotify.max_user_watches=65536"), .done
    ) { $0.inotify = InotifyLimits(instances: 64, watches: 65_536) },
    Case(
      Finding(
        "inotify", .problem,
        "all 65536 inotify watches of this user are taken: watchers poll",
        mend: "run: sudo sysctl fs.inotify.max_user_watches=262144"), .temporary
    ) { $0.inotify = InotifyLimits(instances: 128, watches: 65_536, isWatchFree: false) },
    Case(
      Finding(
        "inotify", .advice,
        "96 of 128 inotify instances of this user are taken, and a watcher needs one",
        mend: "run: sudo sysctl fs.inotify.max_user_instances=512"), .done
    ) { $0.inotify = InotifyLimits(instances: 128, watches: 65_536, instancesInUse: 96) },
    Case(
      Finding(
        "inotify", .fine,
        "95 of 128 inotify instances are seen in use, and of 65536 watches some are free"), .done
    ) { $0.inotify = InotifyLimits(instances: 128, watches: 65_536, instancesInUse: 95) },
    Case(
      Finding(
        "unit", .advice,
        "no unit tokenvault-host.service is installed, so nothing starts the host",
        mend: "run: make install-units; then run: systemctl --user enable --now"
          + " tokenvault-host.socket"), .done
    ) { $0.unit = .missing },
    Case(
      Finding(
        "unit", .advice, "/u/tokenvault-host.service is not enabled, so nothing starts the host",
        mend: "run: systemctl --user enable --now tokenvault-host.socket"), .done
    ) { $0.unit = .installed("/u/tokenvault-host.service") },
    Case(
      Finding("unit", .fine, "/u/tokenvault-host.service starts the host when it is needed"), .done
    ) { $0.unit = .enabled("/u/tokenvault-host.service") },
    Case(
      Finding(
        "unit", .problem,
        "/u/tokenvault-host.service starts /b/tokenvault-host, which cannot be run",
        mend: "install both with the same PREFIX: make install install-units"), .configuration
    ) { $0.unit = .broken("/u/tokenvault-host.service", program: "/b/tokenvault-host") },
    Case(
      Finding(
        "hosts", .advice,
        "3 hosts of this user run, as the processes 7, 8 and 9: two that renew the same session end"
          + " it", mend: "if one will do, stop the others: kill PROCESS"), .done
    ) { $0.hosts = [7, 8, 9] },
    Case(
      Finding(
        "environment", .fine,
        "XDG_RUNTIME_DIR is not set, as in a cron job, and the host is found in"
          + " /run/user/7/tokenvault"), .done
    ) { $0.namesRuntime = false },
  ]

  @Test(arguments: cases)
  private func eachFaultIsNamedWithItsMend(_ test: Case) {
    var facts = Self.healthy
    test.change(&facts)
    let findings = VaultExamination.findings(facts, host: Self.answer(Self.status("valid")))
    let unusual = findings.filter { $0.level != .fine }
    #expect(unusual == (test.finding.level == .fine ? [] : [test.finding]))
    #expect(findings.contains(test.finding))
    #expect(ExitCode(findings) == test.code)
  }

  @Test(arguments: [
    (
      ControlError.unreachable(path: "/x"), false,
      Finding("host", .problem, "no host is running", mend: "start it: tokenvault-host")
    ),
    (
      .timedOut(after: .seconds(5)), true,
      Finding(
        "host", .problem,
        "a host is running and could not be asked: the host did not answer within 5s; its log may"
          + " say why", mend: "its log says why; else start it again")
    ),
  ])
  func aHostThatDoesNotAnswerIsOneProblem(error: ControlError, isHeld: Bool, finding: Finding) {
    var facts = Self.healthy
    facts.runtime[0].isHeld = isHeld
    let findings = VaultExamination.findings(facts, host: .failure(error))
    #expect(findings.filter { $0.level != .fine } == [finding])
    #expect(ExitCode(findings) == .hostUnreachable)
  }

  @Test func aHostThatWorksElsewhereIsNamed() {
    var facts = Self.healthy
    facts.runtime[0].isHeld = false
    facts.hosts = [7]
    let findings = VaultExamination.findings(
      facts, host: .failure(.unreachable(path: "/run/user/7/tokenvault/host.sock")))
    #expect(
      findings.filter { $0.level != .fine } == [
        Finding(
          "host", .problem,
          "a host of this user runs (process 7), but none in /run/user/7/tokenvault or /state/run",
          mend: "set XDG_RUNTIME_DIR or TOKENVAULT_RUNTIME_DIR here to what the host has, or start"
            + " one: tokenvault-host")
      ])
    #expect(ExitCode(findings) == .hostUnreachable)
  }

  @Test func aHostBehindADirectoryThatCannotBeUsedIsNotSaidToBeMissing() {
    var facts = Self.healthy
    let error = FileError.insecure(path: facts.runtime[0].path, .mode(0o755, allowed: 0o700))
    facts.runtime[0] = .init(facts.runtime[0].path, .unusable(error))
    let findings = VaultExamination.findings(facts, host: .failure(.file(error)))
    #expect(
      findings.filter { $0.level != .fine } == [
        Finding("runtime-directory", .problem, error.problem, mend: error.mend),
        Finding(
          "host", .advice, "whether a host is running is not known before its directory is mended",
          mend: "then run once more: tokenvault doctor"),
      ])
    #expect(ExitCode(findings) == .permission)
  }

  @Test func twoNamespacesOfOneAccountAreWorthASentence() {
    func signedIn(_ name: String, _ issuer: String, _ account: String?) -> NamespaceStatus {
      var status = Self.status("valid")
      status.namespace = Namespace(name) ?? .primary
      (status.issuer, status.account) = (issuer, account)
      return status
    }
    let findings = VaultExamination.findings(
      Self.healthy,
      host: Self.answer(
        signedIn("a", "https://one.example", "alice"), signedIn("b", "https://one.example", "bob"),
        signedIn("c", "https://two.example", "alice"), signedIn("d", "https://one.example", nil),
        signedIn("e", "https://one.example", "alice"), signedIn("f", "https://one.example", nil)))
    #expect(
      findings.filter { $0.level != .fine } == [
        Finding(
          "session", .advice, "a and e are both alice at https://one.example",
          mend: "one namespace will do for any number of readers; some providers end one session"
            + " with the other")
      ])
    #expect(ExitCode(findings) == .done)
  }

  @Test(arguments: [
    (status("valid"), Finding.Level.fine, "primary: signed in", ExitCode.done),
    (status("expiring", "renewing"), .fine, "primary: signed in", .done),
    (
      status("valid", "offline", reason: "no route"), .advice,
      "primary: signed in; the host is in the state offline: no route", .done
    ),
    (status("absent", next: "do"), .advice, "primary: nobody is signed in", .done),
    (
      status("reauthentication-required", reason: "r", next: "do"), .problem,
      "primary: the session is in the state reauthentication-required: r", .temporary
    ),
    (
      status("valid", "storage-failed", reason: "disk full"), .problem,
      "primary: the host is in the state storage-failed: disk full", .temporary
    ),
  ])
  func aSessionIsAsGoodAsItsState(
    status: NamespaceStatus, level: Finding.Level, text: String, code: ExitCode
  ) {
    let findings = VaultExamination.findings(Self.healthy, host: Self.answer(status, status))
    #expect(
      findings.filter { $0.check == "session" }
        == [Finding("session", level, text, mend: status.nextStep)])
    #expect(ExitCode(findings) == code)
  }

  @Test func whatTheHostFoundComesLast() {
    let found = Finding("redirect", .problem, "x", mend: "y")
    let findings = VaultExamination.findings(
      Self.healthy, host: .success(.init(findings: [found])))
    #expect(
      findings.suffix(2) == [
        Finding(
          "configuration", .problem, "the host answers, and no namespace is configured",
          mend: "start from: tokenvault-host example-config generic; then reload the host (SIGHUP)"
        ), found,
      ])
    #expect(ExitCode(findings) == .configuration)
    #expect(ExitCode([found]) == .configuration)
  }

  @Test func findingsAreWrittenForPeopleAndForPrograms() {
    let findings = [
      Finding("a", .fine, "good"), Finding("b", .problem, "bad\u{1b}[2J", mend: "mend it"),
    ]
    let terminal = Terminal(isTerminal: false, columns: nil, environment: Environment([:]))
    #expect(
      FindingList.text(findings, on: terminal)
        == "fine     good\nPROBLEM  bad\\u{1b}[2J\n         -> mend it\n1 problem.\n")
    #expect(FindingList.text([findings[0]], on: terminal) == "fine     good\nAll is well.\n")
    #expect(
      FindingList.json(findings)
        == #"{"findings":[{"check":"a","level":"fine","text":"good","mend":null},"#
        + #"{"check":"b","level":"problem","text":"bad\u001B[2J","mend":"mend it"}]}"# + "\n")
  }
}
