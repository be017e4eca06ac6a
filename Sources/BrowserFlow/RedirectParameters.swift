internal import LoopbackHTTP

/// The parameters of an authorization response, each at most once (RFC 6749 3.1).
///
/// They carry the authorization code, so that a description shows names only.
package struct RedirectParameters: Sendable {
  private let items: [FormItem]

  /// The names in the order in which they came.
  package var names: [String] { items.map(\.name) }

  /// Takes decoded items.
  ///
  /// - Throws: `RedirectParametersError.repeated` when a name stands there twice.
  init(_ items: [FormItem]) throws(RedirectParametersError) {
    for (index, item) in items.enumerated() {
      let earlier = items[..<index].values(named: item.name)
      guard earlier.isEmpty else { throw .repeated }
    }
    self.items = items
  }

  /// Returns the value of a parameter, or nil when it is missing.
  package subscript(name: String) -> String? {
    items.values(named: name).first
  }

  /// Whether this is a response at all: a code or an error, not both (RFC 6749 4.1.2).
  var isResponse: Bool {
    let code = self["code"].map { !$0.isEmpty } ?? false
    let error = self["error"].map { !$0.isEmpty } ?? false
    return code != error
  }
}

extension RedirectParameters: CustomStringConvertible, CustomReflectable {
  /// How many values there are, and none of them.
  package var description: String {
    "RedirectParameters(\(items.count) values not shown)"
  }

  /// Shows nothing, so that `dump` and test failures cannot print the code.
  package var customMirror: Mirror {
    Mirror(self, children: EmptyCollection())
  }
}

/// Why parameters are refused.
enum RedirectParametersError: Error, Equatable, Sendable {
  /// One name stands there more than once.
  case repeated
}
