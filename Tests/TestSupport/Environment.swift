internal import Glibc

/// The environment that the tests run in.
package enum Environment {
  /// Returns a variable's value, or nil when it is unset or empty.
  package static func value(_ name: String) -> String? {
    guard let found = unsafe getenv(name) else { return nil }
    let value = unsafe String(cString: found)
    return value.isEmpty ? nil : value
  }

  /// The search path for programs, never empty.
  package static var searchPath: String { value("PATH") ?? "/usr/local/bin:/usr/bin:/bin" }
}
