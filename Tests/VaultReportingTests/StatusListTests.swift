import HostControl
import SessionModel
import Testing
import VaultReporting

@Suite struct StatusListTests {
  private static func status(
    _ namespace: String, _ group: String, _ session: String
  ) throws -> NamespaceStatus {
    NamespaceStatus(
      namespace: try #require(Namespace(namespace)), group: try #require(AccessGroup(group)),
      session: session, host: "ok")
  }

  private static func names(_ list: StatusList) -> [String] {
    list.statuses.map { "\($0.namespace)/\($0.group) \($0.session)" }
  }

  @Test func ofTheHostOnlyTheGroupThatIsAskedForIsTaken() throws {
    let list = StatusList(
      published: [try Self.status("a", "default", "valid")],
      configured: [
        try Self.status("a", "default", "expired"), try Self.status("a", "team", "expired"),
        try Self.status("b", "team", "absent"), try Self.status("c", "default", "absent"),
      ], of: .default)
    #expect(Self.names(list) == ["a/default valid", "c/default absent"])
  }

  @Test func aNamespaceOfAnotherGroupHidesNone() throws {
    let list = StatusList(
      published: [try Self.status("a", "default", "valid")],
      configured: [
        try Self.status("a", "default", "expired"), try Self.status("a", "team", "expired"),
      ], of: nil)
    #expect(Self.names(list) == ["a/default valid", "a/team expired"])
  }

  @Test(arguments: [(nil, "null"), ("by a key", #""by a key""#)] as [(String?, String)])
  func forProgramsItIsOneLine(protection: String?, text: String) throws {
    let status = try Self.status("a", "default", "valid")
    let list = StatusList(
      published: [status], configured: nil, of: .default, protection: protection)
    let begin = #"{"namespaces":[{"namespace":"a","group":"default","session":"valid","#
    #expect(list.json.hasPrefix(begin), "\(list.json)")
    #expect(list.json.hasSuffix(#"}],"protection":\#(text),"findings":[]}"# + "\n"), "\(list.json)")
  }

  @Test func withoutAHostWhatIsPublishedIsShown() throws {
    let list = StatusList(
      published: [try Self.status("a", "default", "valid")], configured: nil, of: .default)
    #expect(Self.names(list) == ["a/default valid"])
  }
}
