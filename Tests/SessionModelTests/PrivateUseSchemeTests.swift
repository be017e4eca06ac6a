import SessionModel
import Testing

@Suite struct PrivateUseSchemeTests {
  @Test(arguments: [
    ("com.example.app", true), ("a.b", true), ("org.example.app-1+x", true), ("a.1", true),
    ("", false), ("app", false), ("1.app", false), (".a", false), ("com.x.", false),
    ("com..x", false), ("Com.Example", false), ("com.example/x", false), ("com.exämple", false),
    ("com.example:", false), ("com example.x", false),
  ])
  func aSchemeIsADomainNameReversed(text: String, isRight: Bool) {
    #expect(PrivateUseScheme.isScheme(text) == isRight)
  }
}
