import CommandRuntime
import FileSupport
import HostControl
import SessionModel
import TestSupport
import Testing
import VaultReporting

@Suite struct SignInReportTests {
  static let device = DeviceAuthorization(
    verificationUri: "https://id.example/device",
    verificationUriComplete: "https://id.example/device?c=WDJB", userCode: "WDJB",
    expiresIn: .seconds(600), qr: ["█▀", "▄ "])

  @Test(arguments: [
    (ControlEvent.authorize(url: "https://a/b"), #"{"event":"authorize","url":"https://a/b"}"#),
    (
      .device(device),
      #"{"event":"device","verificationUri":"https://id.example/device","#
        + #""verificationUriComplete":"https://id.example/device?c=WDJB","userCode":"WDJB","#
        + #""expiresIn":600}"#
    ),
    (.signedIn(.primary), #"{"event":"signed-in","namespace":"primary"}"#),
    (.signedOut(.primary, .pending), #"{"event":"signed-out","revocation":"pending"}"#),
    (.endSessionUnconfirmed("x"), #"{"event":"end-session-unconfirmed","message":"x"}"#),
    (
      .failed(.accessDenied, message: "no"),
      #"{"event":"failed","reason":"access-denied","message":"no"}"#
    ),
  ])
  func jsonHasTheDocumentedMembers(event: ControlEvent, line: String) {
    #expect(SignInReport.json(event) == line + "\n")
  }

  @Test(arguments: ControlFailureReason.allCases)
  func eachReasonOfAFailureIsDocumented(reason: ControlFailureReason) throws {
    let documentation = try TestFile.text("\(PackageLayout.root)/README.md")
    #expect(documentation.contains("`\(reason.rawValue)`"))
  }

  @Test func eventsOfOtherRequestsAreNotShown() {
    #expect(SignInReport.json(.done) == nil)
    #expect(SignInReport.json(.renewed(.primary, generation: 1)) == nil)
  }

  @Test func aCodeIsShownWithItsAddressAndAsACodeToScan() {
    let text = SignInReport.instructions(
      .device(Self.device), drawsCode: true, isOpened: false, isRemote: true)
    #expect(
      text == """
        To sign in, visit:
          https://id.example/device
        and enter the code:
          WDJB
        or visit, with the code in it:
          https://id.example/device?c=WDJB
        or scan:
        █▀
        ▄\u{20}
        The code is good for 10m.

        """)
    #expect(
      SignInReport.instructions(
        .device(Self.device), drawsCode: false, isOpened: false, isRemote: true)?
        .contains("scan") == false)
  }

  @Test func anAddressIsShownWhetherABrowserWasOpenedOrNot() {
    let event = ControlEvent.authorize(url: "https://id.example/\u{1b}")
    #expect(
      SignInReport.instructions(event, drawsCode: true, isOpened: true, isRemote: false)
        == "The browser was opened to sign in. If it does not show, visit:\n"
        + "  https://id.example/\\u{1b}\n")
    #expect(
      SignInReport.instructions(event, drawsCode: true, isOpened: false, isRemote: true)
        == "To sign in, open this address in a browser on this machine:\n"
        + "  https://id.example/\\u{1b}\n"
        + "If your browser is on another machine, open it there. It will end at an address that it\n"
        + "cannot open: copy that whole address and bring it here, in another shell:\n"
        + "  tokenvault sign-in --complete -\n")
    #expect(
      SignInReport.instructions(
        .endSession(url: "http://127.0.0.1:1/x"), drawsCode: true, isOpened: false,
        isRemote: false)
        == "To sign out at the provider, open this address in a browser on this machine:\n"
        + "  http://127.0.0.1:1/x\n"
        + "Here the session has ended already; Ctrl-C ends the wait for the browser.\n")
    #expect(
      SignInReport.instructions(
        .endSessionUnconfirmed("x\u{1b}"), drawsCode: true, isOpened: true, isRemote: false)
        == "The session at the provider may go on in the browser: x\\u{1b}; end it at the\n"
        + "provider's own page.\n")
    let secluded = ControlEvent.authorize(url: "u", window: .privateWindow(command: []))
    #expect(
      SignInReport.instructions(secluded, drawsCode: true, isOpened: true, isRemote: false)
        == "A private window was opened to sign in. If it does not show, visit:\n  u\n")
    #expect(
      SignInReport.instructions(secluded, drawsCode: true, isOpened: false, isRemote: false)
        == "To sign in, open this address in a private window of a browser on this machine:\n  u\n")
    #expect(
      SignInReport.instructions(.done, drawsCode: true, isOpened: true, isRemote: false) == nil)
  }

  @Test(arguments: [
    (RevocationOutcome.done, "primary is signed out; the provider has revoked the grant\n"),
    (
      .pending,
      "primary is signed out; the provider could not be told yet and will be told later\n"
    ),
    (
      .unsupported,
      "primary is signed out; the provider has no revocation endpoint;"
        + " the grant ends there by itself\n"
    ),
  ])
  func aSignOutSaysWhatBecameOfTheProvidersSide(outcome: RevocationOutcome, text: String) {
    #expect(SignInReport.signedOut(.primary, outcome) == text)
  }

  @Test(arguments: [
    ([:], false, false), (["DISPLAY": ":0"], true, false),
    (["SSH_CONNECTION": "a"], false, true),
    (["SSH_TTY": "/dev/pts/1"], false, true),
    (["SSH_CONNECTION": "a", "DISPLAY": "localhost:10"], true, false),
    (["SSH_CONNECTION": "a", "BROWSER": "code"], true, true),
    (["WAYLAND_DISPLAY": "wayland-0"], true, false),
  ])
  func thePersonsPlaceIsToldByTheEnvironment(
    variables: [String: String], canOpenBrowser: Bool, isRemote: Bool
  ) {
    let surroundings = SignInSurroundings(environment: Environment(variables))
    #expect(surroundings.canOpenBrowser == canOpenBrowser)
    #expect(surroundings.isRemote == isRemote)
    let refusal = surroundings.refusal(toSignOut: .primary)
    #expect((refusal != nil) == (isRemote && !canOpenBrowser))
    #expect(refusal?.code ?? .usage == .usage)
  }
}
