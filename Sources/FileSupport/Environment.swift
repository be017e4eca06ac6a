import Glibc

/// A copy of environment variables, so that code reads what it was given and not the process.
package struct Environment: Sendable, Hashable {
  private let values: [String: String]

  /// Creates an environment from names and values.
  package init(_ values: [String: String]) {
    self.values = values
  }

  /// Copies the process's environment (`environ(7)`).
  ///
  /// To be called before threads start.
  package static var process: Environment {
    var values: [String: String] = [:]
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let line = unsafe String(cString: text)
      if let split = line.firstIndex(of: "=") {
        values[String(line[..<split])] = String(line[line.index(after: split)...])
      }
      unsafe entry += 1
    }
    return Environment(values)
  }

  /// Copies some variables of the process's environment (`getenv(3)`), which is quicker than all.
  ///
  /// To be called before threads start.
  package static func process(_ names: [String]) -> Environment {
    var values: [String: String] = [:]
    for name in names {
      if let value = unsafe getenv(name) { values[name] = unsafe String(cString: value) }
    }
    return Environment(values)
  }

  /// The value of a variable; nil when it is unset or empty, which mean the same everywhere here.
  package subscript(_ name: String) -> String? {
    guard let value = values[name], !value.isEmpty else { return nil }
    return value
  }

  /// The value of a variable that must be an absolute path; nil otherwise, as the XDG rules say.
  package func absolutePath(_ name: String) -> String? {
    guard let value = self[name], value.hasPrefix("/") else { return nil }
    return value
  }

  /// The variables as `execve(2)` takes them, `NAME=value`, sorted by name.
  package var entries: [String] {
    values.keys.sorted().map { $0 + "=" + (values[$0] ?? "") }
  }

  /// The same environment with one variable set.
  package func setting(_ name: String, to value: String) -> Environment {
    var values = values
    values[name] = value
    return Environment(values)
  }

  /// The same environment without some variables.
  package func removing(_ names: [String]) -> Environment {
    Environment(values.filter { !names.contains($0.key) })
  }
}
