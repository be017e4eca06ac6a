internal import LoopbackHTTP

/// The parameters of a request, each at most once; an empty one counts as missing (RFC 6749 3.1).
struct RequestParameters: Sendable {
  private let items: [FormItem]

  /// Takes decoded items.
  ///
  /// - Throws: `invalid_request` when a name stands there twice.
  init(_ items: [FormItem]) throws(OAuthError) {
    for (index, item) in items.enumerated()
    where !items[..<index].values(named: item.name).isEmpty {
      throw OAuthError("invalid_request", "a parameter is repeated")
    }
    self.items = items
  }

  /// Returns a value, or nil when it is missing or empty.
  subscript(name: String) -> String? {
    items.values(named: name).first.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Returns a value.
  ///
  /// - Throws: `invalid_request` when it is missing.
  func required(_ name: String) throws(OAuthError) -> String {
    guard let value = self[name] else {
      throw OAuthError("invalid_request", "\(name) is missing")
    }
    return value
  }
}

/// A space-separated scope (RFC 6749 3.3).
struct Scope: Sendable {
  /// The scope tokens in order.
  let tokens: [Substring]

  /// Splits a scope.
  init(_ text: String) {
    tokens = text.split(separator: " ")
  }

  /// Returns whether a scope token is among them.
  func contains(_ token: String) -> Bool {
    tokens.contains { $0.utf8.elementsEqual(token.utf8) }
  }

  /// Returns whether nothing in it goes beyond another scope.
  func isWithin(_ other: Scope) -> Bool {
    tokens.allSatisfy { other.contains(String($0)) }
  }
}
