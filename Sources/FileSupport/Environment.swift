import Glibc

/// A copy of environment variables, so that code reads what it was given and not the process.
package struct Environment: Sendable, Hashable {
  private struct Variable: Sendable, Hashable {
    let name: String
    let value: String
  }

  // An array and no dictionary: there are few, and a dictionary's types cost a short-lived program
  // a tenth of its time. Sorted, so that two environments are equal when their variables are.
  private let variables: [Variable]

  private init(unsorted variables: [Variable]) {
    self.variables = variables.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Creates an environment from names and values.
  package init(_ values: [String: String]) {
    self.init(unsorted: values.map { Variable(name: $0.key, value: $0.value) })
  }

  /// Copies the process's environment (`environ(7)`); of a name that is there twice, the first.
  ///
  /// To be called before threads start.
  package static var process: Environment {
    var variables: [Variable] = []
    var names: Set<String> = []
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let line = unsafe String(cString: text)
      if let split = line.firstIndex(of: "="),
        names.insert(String(line[..<split])).inserted
      {
        variables.append(
          Variable(
            name: String(line[..<split]), value: String(line[line.index(after: split)...])))
      }
      unsafe entry += 1
    }
    return Environment(unsorted: variables)
  }

  /// Copies some variables of the process's environment (`getenv(3)`), which is quicker than all.
  ///
  /// To be called before threads start.
  package static func process(_ names: [String]) -> Environment {
    var variables: [Variable] = []
    for name in names {
      if let value = unsafe getenv(name) {
        variables.append(Variable(name: name, value: unsafe String(cString: value)))
      }
    }
    return Environment(unsorted: variables)
  }

  /// The value of a variable; nil when it is unset or empty, which mean the same everywhere here.
  package subscript(_ name: String) -> String? {
    for variable in variables where variable.name.utf8.elementsEqual(name.utf8) {
      return variable.value.isEmpty ? nil : variable.value
    }
    return nil
  }

  /// The value of a variable that must be an absolute path; nil otherwise, as the XDG rules say.
  package func absolutePath(_ name: String) -> String? {
    guard let value = self[name], value.hasPrefix("/") else { return nil }
    return value
  }

  /// The variables as `execve(2)` takes them, `NAME=value`, sorted by name.
  package var entries: [String] {
    variables.map { $0.name + "=" + $0.value }
  }

  /// The same environment with one variable set.
  package func setting(_ name: String, to value: String) -> Environment {
    Environment(
      unsorted: removing([name]).variables + [Variable(name: name, value: value)])
  }

  /// The same environment without some variables.
  package func removing(_ names: [String]) -> Environment {
    Environment(unsorted: variables.filter { !names.contains($0.name) })
  }
}
