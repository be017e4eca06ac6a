import Glibc

/// A copy of environment variables, so that code reads what it was given and not the process.
package struct Environment: Sendable, Hashable {
  // Bytes, as the kernel has it: a path of another encoding is no valid text, and a program that is
  // started has to get it unchanged.
  private struct Variable: Sendable, Hashable {
    let name: [UInt8]
    let value: [UInt8]
  }

  // An array and no dictionary: there are few, and a dictionary's types cost a short-lived program
  // a tenth of its time. Sorted, so that two environments are equal when their variables are.
  private let variables: [Variable]

  private init(unsorted variables: [Variable]) {
    self.variables = variables.sorted { $0.name.lexicographicallyPrecedes($1.name) }
  }

  /// Creates an environment from names and values.
  package init(_ values: [String: String]) {
    self.init(
      unsorted: values.map { Variable(name: Array($0.key.utf8), value: Array($0.value.utf8)) })
  }

  /// Copies the process's environment (`environ(7)`); of a name that is there twice, the first.
  ///
  /// To be called before threads start.
  package static var process: Environment {
    var variables: [Variable] = []
    var names: Set<[UInt8]> = []
    var entry = unsafe environ
    while let text = unsafe entry.pointee {
      let line = unsafe bytes(of: text)
      if let split = line.firstIndex(of: UInt8(ascii: "=")),
        names.insert(Array(line[..<split])).inserted
      {
        variables.append(Variable(name: Array(line[..<split]), value: Array(line[(split + 1)...])))
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
        variables.append(Variable(name: Array(name.utf8), value: unsafe bytes(of: value)))
      }
    }
    return Environment(unsorted: variables)
  }

  /// The value of a variable; nil when it is unset or empty, which mean the same everywhere here.
  ///
  /// Bytes that are no UTF-8 are shown as U+FFFD.
  package subscript(_ name: String) -> String? {
    for variable in variables where variable.name.elementsEqual(name.utf8) {
      return variable.value.isEmpty ? nil : String(decoding: variable.value, as: UTF8.self)
    }
    return nil
  }

  /// The value of a variable that must be an absolute path; nil otherwise, as the XDG rules say.
  package func absolutePath(_ name: String) -> String? {
    guard let value = self[name], value.hasPrefix("/") else { return nil }
    return value
  }

  /// The variables as `execve(2)` takes them, `NAME=value`, byte for byte, sorted by name.
  package var entries: [[UInt8]] {
    variables.map { $0.name + [UInt8(ascii: "=")] + $0.value }
  }

  /// The same environment with one variable set.
  package func setting(_ name: String, to value: String) -> Environment {
    Environment(
      unsorted: removing([name]).variables
        + [Variable(name: Array(name.utf8), value: Array(value.utf8))])
  }

  /// The same environment without some variables.
  package func removing(_ names: [String]) -> Environment {
    Environment(
      unsorted: variables.filter { variable in
        !names.contains { variable.name.elementsEqual($0.utf8) }
      })
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    let length = unsafe strlen(text)
    return unsafe Array(UnsafeRawBufferPointer(start: text, count: length))
  }
}
