import SessionModel
import Testing

@Suite struct NamespaceTests {
  @Test(arguments: [
    "a", "primary", "Work-2", "group.com.example.app", "9", "a_b",
    String(repeating: "x", count: 64),
  ])
  func plainNamesAreAccepted(_ name: String) {
    #expect(Namespace(name)?.name == name)
    #expect(AccessGroup(name)?.description == name)
  }

  @Test(arguments: [
    "", ".", "..", "../x", "a/b", "/a", "a/", ".hidden", "-x", "_x", "a\0b", "a b", "a\n", "é",
    "e\u{301}", "\u{FF41}", "a\u{200B}", "\u{212A}", String(repeating: "x", count: 65),
    String(repeating: "x", count: 300),
  ])
  func fs07OtherNamesAreRefused(_ name: String) {
    #expect(Namespace(name) == nil)
    #expect(AccessGroup(name) == nil)
  }

  @Test func theDefaultsObeyTheRule() {
    #expect(Namespace("primary") == .primary)
    #expect(AccessGroup("default") == .default)
  }
}
