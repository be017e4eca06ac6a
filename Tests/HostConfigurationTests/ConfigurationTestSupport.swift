import FileSupport
import HostConfiguration

/// The problems of a configuration, without the file's name: `line: sentence`.
func problems(_ text: String) -> [String] {
  do {
    _ = try parse(text)
    return []
  } catch {
    return error.lines.map { line in
      line.hasPrefix("c.toml:") ? String(line.dropFirst("c.toml:".count)) : line
    }
  }
}

/// A configuration from a text.
func parse(_ text: String, mode: UInt32 = 0o600) throws(ConfigurationError) -> ConfigurationFile {
  try ConfigurationFile.parse(
    Array(text.utf8), path: "c.toml", mode: mode,
    environment: FileSupport.Environment(["HOME": "/home/p"]))
}

/// A namespace with the two keys that it needs, on lines 1 to 3, and more from line 4 on.
func namespace(_ rest: String) -> String {
  "[namespaces.primary]\nissuer = \"https://id.example\"\nclientId = \"desktop\"\n" + rest
}
