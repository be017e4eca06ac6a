import FileSupport
import Testing

@Suite struct UnixGroupTests {
  private static let file = Array(
    "root:x:0:\n#x\n\nbroken\n:x:5:\nodd$name:x:6:\ntoken-vault:x:998:ana,ben\nlate:x:998:\n".utf8)

  @Test(
    arguments: [
      (0, "root"), (998, "token-vault"), (5, nil), (6, nil), (7, nil),
    ] as [(UInt32, String?)])
  func aGroupHasTheNameThatTheFileGives(identifier: UInt32, name: String?) {
    #expect(UnixGroup.name(of: identifier, in: Self.file) == name)
  }

  @Test func whatHasNoNameIsCalledByItsNumber() {
    #expect(UnixGroup.label(of: 0) == "root")
    #expect(UnixGroup.label(of: 4_000_000_001) == "4000000001")
  }
}
