/// The URL of an authorization request or response, whose parameters can be tampered with.
///
/// The values stay as they were encoded.
struct Response {
  private var base: String
  private var items: [(name: String, value: String)]

  init(_ url: String) throws {
    let parts = url.split(separator: "?", maxSplits: 1)
    guard parts.count == 2 else {
      throw HostFixtureError(description: "a URL without parameters")
    }
    base = String(parts[0])
    items = parts[1].split(separator: "&").map { item in
      let sides = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return (String(sides[0]), sides.count == 2 ? String(sides[1]) : "")
    }
  }

  /// A parameter, as it is encoded.
  subscript(name: String) -> String? {
    get { items.first { $0.name == name }?.value }
    set {
      let index = items.firstIndex { $0.name == name } ?? items.count
      items.removeAll { $0.name == name }
      if let newValue { items.insert((name, newValue), at: min(index, items.count)) }
    }
  }

  /// The port of a loopback URL.
  var port: String {
    get { String(base.split(separator: ":")[2].prefix { $0 != "/" }) }
    set { base = base.replacing(":\(port)/", with: ":\(newValue)/") }
  }

  /// The URL again.
  var url: String {
    base + "?" + items.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
  }
}
