/// A vector's text: comments, what is given, a blank line, and what is expected.
struct VectorFile {
  private var values: [String: String] = [:]
  private(set) var expectation: [String] = []

  init(_ text: String) {
    var isExpectation = false
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.isEmpty {
        isExpectation = true
      } else if isExpectation {
        expectation.append(String(line))
      } else if let colon = line.firstIndex(of: ":"), !line.hasPrefix("#") {
        values[String(line[..<colon])] = String(line[colon...].dropFirst(2))
      }
    }
  }

  subscript(_ name: String) -> String { values[name] ?? "" }
}
