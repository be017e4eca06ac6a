import FileSupport
import HostConfiguration
import Testing

@Suite struct NotificationConfigurationTests {
  private static func parse(
    _ text: String, isService: Bool = false
  ) throws(ConfigurationError) -> Bool {
    try ConfigurationFile.parse(
      Array(text.utf8), path: "c.toml",
      environment: .init(isService ? ["TOKENVAULT_RUNTIME_DIR": "/run/tokenvault"] : [:])
    ).notifies
  }

  @Test func aPersonIsNotifiedUnlessTheySayOtherwiseAndAServiceNotifiesNobody() throws {
    #expect(try Self.parse(""))
    #expect(try Self.parse("notifications = true"))
    #expect(try !Self.parse("notifications = false"))
    #expect(try !Self.parse("", isService: true))
    #expect(try !Self.parse("notifications = false", isService: true))
  }

  @Test(arguments: [
    (
      "notifications = \"no\"", false,
      "c.toml:1: \"notifications\" at the top level has to be true or false, not a string; for"
        + " example notifications = true"
    ),
    (
      "notification = false", false,
      "c.toml:1: unknown key \"notification\" at the top level; did you mean \"notifications\"?"
    ),
    (
      "notifications = true", true,
      "c.toml: \"notifications\" is true, and the user of a system service has no desktop; remove it"
    ),
  ])
  func aMistakeIsNamed(text: String, isService: Bool, message: String) {
    let error = #expect(throws: ConfigurationError.self) {
      _ = try Self.parse(text, isService: isService)
    }
    #expect(error?.description == message)
  }
}
