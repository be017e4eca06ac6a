import HostControl
import SessionModel
import Testing

@Suite struct ControlRequestTests {
  static let signIn = SignInRequest(
    namespace: .primary, flow: .device, isRemote: true, loginHint: "ada@example.org",
    loginMethod: "passkey",
    parameters: [.init(name: "prompt", value: "consent"), .init(name: "a", value: "é&=")])

  static let texts: [(ControlRequest, String)] = [
    (.status(nil), #"{"verb":"status"}"#),
    (.status(.primary), #"{"verb":"status","namespace":"primary"}"#),
    (.renew(.primary, validFor: nil), #"{"verb":"renew","namespace":"primary"}"#),
    (
      .renew(.primary, validFor: .seconds(90)),
      #"{"verb":"renew","namespace":"primary","validFor":90}"#
    ),
    (
      .rejected(.primary, generation: 7),
      #"{"verb":"rejected","namespace":"primary","generation":7}"#
    ),
    (
      .rejected(.primary, generation: .max),
      #"{"verb":"rejected","namespace":"primary","generation":"18446744073709551615"}"#
    ),
    (
      .signIn(SignInRequest(namespace: .primary)), #"{"verb":"sign-in","namespace":"primary"}"#
    ),
    (
      .signIn(signIn),
      #"{"verb":"sign-in","namespace":"primary","flow":"device","remote":true,"#
        + #""loginHint":"ada@example.org","loginMethod":"passkey","#
        + #""parameters":{"prompt":"consent","a":"é&="}}"#
    ),
    (.signOut(.primary), #"{"verb":"sign-out","namespace":"primary"}"#),
    (.signOutInBrowser(.primary), #"{"verb":"sign-out-in-browser","namespace":"primary"}"#),
    (.introspect(.primary), #"{"verb":"introspect","namespace":"primary"}"#),
    (.forget(.primary), #"{"verb":"forget","namespace":"primary"}"#),
    (.lock, #"{"verb":"lock"}"#), (.unlock(passphrase: nil), #"{"verb":"unlock"}"#),
    (.unlock(passphrase: "two words"), #"{"verb":"unlock","passphrase":"two words"}"#),
    (.complete(nil, address: "http://x"), #"{"verb":"complete","address":"http://x"}"#),
    (
      .complete(.primary, address: "a"),
      #"{"verb":"complete","namespace":"primary","address":"a"}"#
    ),
  ]

  @Test func anExaminationTakesNothing() throws {
    #expect(
      String(decoding: ControlRequest.examine.encoded(), as: UTF8.self)
        == "{\"verb\":\"examine\"}\n")
    #expect(try ControlRequest(frame: Array("{\"verb\":\"examine\"}".utf8)) == .examine)
  }

  @Test(arguments: texts)
  func eachRequestHasOneTextAndIsReadBack(request: ControlRequest, text: String) throws {
    #expect(String(decoding: request.encoded(), as: UTF8.self) == text + "\n")
    #expect(try ControlRequest(frame: Array(text.utf8)) == request)
  }

  @Test func aValidityIsRoundedUp() {
    let request = ControlRequest.renew(.primary, validFor: .milliseconds(1500))
    #expect(String(decoding: request.encoded(), as: UTF8.self).contains("\"validFor\":2}"))
  }

  @Test(arguments: [
    ("[]", "the request is no object"),
    ("{}", "the request has no member \"verb\""),
    (#"{"verb":7}"#, "the request's member \"verb\" is not a string"),
    (#"{"verb":"format"}"#, "the verb \"format\" is not known"),
    (#"{"verb":"renew"}"#, "the request has no member \"namespace\""),
    (
      #"{"verb":"renew","namespace":"../x"}"#,
      "the request's member \"namespace\" is not a namespace"
    ),
    (
      #"{"verb":"renew","namespace":"a","validFor":-1}"#,
      "the request's member \"validFor\" is not a whole number of seconds, zero or more"
    ),
    (
      #"{"verb":"rejected","namespace":"a"}"#, "the request has no member \"generation\""
    ),
    (
      #"{"verb":"rejected","namespace":"a","generation":-1}"#,
      "the request's member \"generation\" is not a generation"
    ),
    (
      #"{"verb":"rejected","namespace":"a","generation":"18446744073709551616"}"#,
      "the request's member \"generation\" is not a generation"
    ),
    (
      #"{"verb":"sign-in","namespace":"a","flow":"implicit"}"#,
      "the request's member \"flow\" is not \"browser\" or \"device\""
    ),
    (
      #"{"verb":"sign-in","namespace":"a","remote":1}"#,
      "the request's member \"remote\" is not true or false"
    ),
    (
      #"{"verb":"sign-in","namespace":"a","parameters":{"p":1}}"#,
      "the request's member \"parameters\" is not an object of strings"
    ),
    (
      #"{"verb":"sign-out","namespace":"a","force":true}"#,
      "the request has a member \"force\" that is not known"
    ),
    (
      #"{"verb":"sign-out","namespace":"a","namespace":"b"}"#,
      "the request cannot be read: JSON refused at line 1, column 46 (byte 46): "
        + "a name occurs twice in one object"
    ),
  ])
  func whatIsNoRequestIsRefusedWithItsReason(text: String, problem: String) {
    let error = #expect(throws: ControlMessageError.self) {
      try ControlRequest(frame: Array(text.utf8))
    }
    #expect(error?.description == problem)
  }

  @Test func cs03RandomFramesAreRefusedWithoutHarm() {
    var generator = SystemRandomNumberGenerator()
    var accepted = 0
    for _ in 0..<100_000 {
      let frame = (0..<Int.random(in: 0..<64, using: &generator)).map { _ in
        UInt8.random(in: .min ... .max, using: &generator)
      }
      do throws(ControlMessageError) {
        _ = try ControlRequest(frame: frame)
        accepted += 1
      } catch {
        if error.description.isEmpty { accepted += 1 }
      }
    }
    #expect(accepted == 0)
  }
}
