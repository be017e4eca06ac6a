package import FileSupport

/// Where the configuration is.
package enum ConfigurationPath {
  /// Finds the path: `$TOKENVAULT_CONFIG`, `$XDG_CONFIG_HOME/tokenvault/config.toml` or
  /// `~/.config/tokenvault/config.toml`.
  ///
  /// - Parameter environment: The variables; a relative `XDG_CONFIG_HOME` counts as unset (XDG).
  /// - Returns: The path, nil without any of the variables and without `HOME`.
  package static func resolve(_ environment: Environment) -> String? {
    if let named = environment["TOKENVAULT_CONFIG"] { return named }
    let home = environment.absolutePath("HOME")
    let directory = environment.absolutePath("XDG_CONFIG_HOME") ?? home.map { $0 + "/.config" }
    return directory.map { $0 + "/tokenvault/config.toml" }
  }
}
