import FileSupport
import HostConfiguration
import Testing

@Suite struct ConfigurationPathTests {
  @Test(
    arguments: [
      (["HOME": "/home/p"], "/home/p/.config/tokenvault/config.toml"),
      (["HOME": "/home/p", "XDG_CONFIG_HOME": "/x"], "/x/tokenvault/config.toml"),
      (
        ["HOME": "/home/p", "XDG_CONFIG_HOME": "x"], "/home/p/.config/tokenvault/config.toml"
      ),
      (["HOME": "/home/p", "XDG_CONFIG_HOME": "/x", "TOKENVAULT_CONFIG": "c.toml"], "c.toml"),
      (["HOME": "/home/p", "TOKENVAULT_CONFIG": ""], "/home/p/.config/tokenvault/config.toml"),
      ([:], nil), (["HOME": "relative"], nil),
    ] as [([String: String], String?)])
  func followsTheEnvironment(variables: [String: String], path: String?) {
    #expect(ConfigurationPath.resolve(.init(variables)) == path)
  }
}
