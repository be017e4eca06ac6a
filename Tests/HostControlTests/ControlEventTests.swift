import HostControl
import SessionModel
import StrictJSON
import Testing

@Suite struct ControlEventTests {
  static let status = NamespaceStatus(
    namespace: .primary, group: .default, session: "valid", host: "ok", generation: 12,
    publishedAt: UnixTime(rawValue: 1_900_000_000),
    nextPublicationBy: UnixTime(rawValue: 1_900_003_571),
    expiresAt: UnixTime(rawValue: 1_900_003_600), expiresIn: .seconds(3599),
    issuer: "https://id.example", account: "ada")

  static let device = DeviceAuthorization(
    verificationUri: "https://id.example/device",
    verificationUriComplete: "https://id.example/device?c=WDJB-MJHT", userCode: "WDJB-MJHT",
    expiresIn: .seconds(600), qr: ["█▀", "▄ "])

  static let texts: [(ControlEvent, String)] = [
    (
      .authorize(url: "https://id.example/a?b=c"),
      #"{"event":"authorize","url":"https://id.example/a?b=c"}"#
    ),
    (
      .authorize(url: "u", window: .privateWindow(command: [])),
      #"{"event":"authorize","url":"u","privateBrowser":true}"#
    ),
    (
      .endSession(url: "u", window: .privateWindow(command: ["fox", "%s"])),
      #"{"event":"end-session","url":"u","privateBrowser":["fox","%s"]}"#
    ),
    (
      .endSessionUnconfirmed("no browser came"),
      #"{"event":"end-session-unconfirmed","message":"no browser came"}"#
    ),
    (
      .device(device),
      #"{"event":"device","verificationUri":"https://id.example/device","#
        + #""verificationUriComplete":"https://id.example/device?c=WDJB-MJHT","#
        + #""userCode":"WDJB-MJHT","expiresIn":600,"qr":["█▀","▄ "]}"#
    ),
    (
      .device(
        DeviceAuthorization(verificationUri: "u", userCode: "c", expiresIn: .seconds(1))),
      #"{"event":"device","verificationUri":"u","userCode":"c","expiresIn":1}"#
    ),
    (.signedIn(.primary), #"{"event":"signed-in","namespace":"primary"}"#),
    (
      .signedOut(.primary, .pending),
      #"{"event":"signed-out","namespace":"primary","revocation":"pending"}"#
    ),
    (
      .forgotten(.primary, isRevoked: true),
      #"{"event":"forgotten","namespace":"primary","revoked":true}"#
    ),
    (.protection("by a key"), #"{"event":"protection","text":"by a key"}"#),
    (.passphraseNeeded(isNew: true), #"{"event":"passphrase","new":true}"#),
    (
      .renewed(.primary, generation: 3),
      #"{"event":"renewed","namespace":"primary","generation":3}"#
    ),
    (
      .namespace(status),
      #"{"event":"namespace","namespace":"primary","group":"default","session":"valid","#
        + #""host":"ok","generation":12,"publishedAt":1900000000,"#
        + #""nextPublicationBy":1900003571,"expiresAt":1900003600,"expiresIn":3599,"#
        + #""issuer":"https://id.example","account":"ada","reason":null,"#
        + #""nextStep":null,"loginEndsAt":null,"loginEndsIn":null}"#
    ),
    (
      .introspection(
        IntrospectionAnswer(
          namespace: .primary, isActive: true, scope: "openid", clientId: "desktop",
          username: "ada", tokenType: "Bearer", expiresAt: UnixTime(rawValue: 1_900_003_600),
          issuedAt: UnixTime(rawValue: 1_900_000_000), subject: "1", audience: ["a", "b"],
          issuer: "https://id.example")),
      #"{"event":"introspection","namespace":"primary","active":true,"scope":"openid","#
        + #""clientId":"desktop","username":"ada","type":"Bearer","expiresAt":1900003600,"#
        + #""issuedAt":1900000000,"subject":"1","audience":["a","b"],"#
        + #""issuer":"https://id.example"}"#
    ),
    (
      .introspection(IntrospectionAnswer(namespace: .primary, isActive: false)),
      #"{"event":"introspection","namespace":"primary","active":false,"scope":null,"#
        + #""clientId":null,"username":null,"type":null,"expiresAt":null,"issuedAt":null,"#
        + #""subject":null,"audience":[],"issuer":null}"#
    ),
    (
      .finding(Finding("redirect", .advice, "a scheme", mend: "use http")),
      #"{"event":"finding","check":"redirect","level":"advice","text":"a scheme","#
        + #""mend":"use http"}"#
    ),
    (
      .finding(Finding("x", .fine, "y")),
      #"{"event":"finding","check":"x","level":"fine","text":"y","mend":null}"#
    ),
    (.done, #"{"event":"done"}"#),
    (
      .failed(.accessDenied, message: "the provider said no"),
      #"{"event":"failed","reason":"access-denied","message":"the provider said no"}"#
    ),
  ]

  @Test(arguments: texts)
  func eachEventHasOneTextAndIsReadBack(event: ControlEvent, text: String) throws {
    #expect(String(decoding: event.encoded(), as: UTF8.self) == text + "\n")
    #expect(try ControlEvent(frame: Array(text.utf8)) == event)
  }

  @Test func membersOfLaterVersionsAreIgnored() throws {
    let frame = Array(#"{"event":"signed-in","namespace":"primary","since":12}"#.utf8)
    #expect(try ControlEvent(frame: frame) == .signedIn(.primary))
  }

  @Test(arguments: [
    ("7", "the host's answer is no object"),
    (#"{"event":"party"}"#, "the host's answer is an event \"party\" that is not known"),
    (
      #"{"event":"finding","check":"x","level":"dire","text":"y"}"#,
      "the host's answer's member \"level\" is not \"fine\", \"advice\" or \"problem\""
    ),
    (#"{"event":"authorize"}"#, "the host's answer has no member \"url\""),
    (
      #"{"event":"authorize","url":"u","privateBrowser":["fox",1]}"#,
      "the host's answer's member \"privateBrowser\" is not true, false or an array of strings"
    ),
    (
      #"{"event":"failed","reason":"mood","message":"m"}"#,
      "the host's answer's member \"reason\" is not a reason that is known"
    ),
    (
      #"{"event":"signed-out","namespace":"a","revocation":"later"}"#,
      "the host's answer's member \"revocation\" is not \"done\", \"pending\" or \"unsupported\""
    ),
    (
      #"{"event":"device","verificationUri":"u","userCode":"c","expiresIn":1,"qr":[1]}"#,
      "the host's answer's member \"qr\" is not an array of strings"
    ),
  ])
  func whatIsNoEventIsRefusedWithItsReason(text: String, problem: String) {
    let error = #expect(throws: ControlMessageError.self) {
      try ControlEvent(frame: Array(text.utf8))
    }
    #expect(error?.description == problem)
  }

  @Test func reasonsAreKebabCaseAndStable() {
    #expect(
      ControlFailureReason.allCases.map(\.rawValue) == [
        "access-denied", "cancelled", "expired", "login-in-progress", "unknown-namespace",
        "not-signed-in", "reauthentication-required", "offline", "waiting", "storage",
        "configuration", "provider-error", "verification-failed", "response-mismatch",
        "redirect-unavailable", "flow-unsupported", "rate-limited", "just-renewed", "bad-request",
        "locked", "stopping", "host-unreachable",
      ])
  }

  @Test func onlyProgressIsFollowedByMore() {
    #expect(!ControlEvent.authorize(url: "").isLast)
    #expect(!ControlEvent.device(Self.device).isLast)
    #expect(!ControlEvent.namespace(Self.status).isLast)
    #expect(ControlEvent.done.isLast)
    #expect(ControlEvent.failed(.offline, message: "").isLast)
  }

  @Test func cs05NoEventHasAMemberForAToken() {
    for (event, _) in Self.texts {
      for member in event.object.members {
        #expect(!member.name.lowercased().contains("token"))
      }
    }
  }
}
