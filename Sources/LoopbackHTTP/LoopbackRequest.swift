/// A request as it came over the loopback connection; nothing in it is trusted.
package struct LoopbackRequest: Sendable {
  /// One header field.
  package struct Field: Sendable, Equatable {
    /// The field's name as sent; compare it without case.
    package let name: String

    /// The field's value.
    package let value: String

    /// Joins a name and a value.
    package init(name: String, value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The method as sent, for example `GET`.
  package let method: String

  /// The path as sent, not decoded and without the query.
  package let path: String

  /// The decoded query, in order, with every duplicate.
  package let query: [FormItem]

  /// The header fields, in order.
  package let headers: [Field]

  /// The body, at most `LoopbackServer.bodyLimit` bytes.
  package let body: [UInt8]

  /// Gathers the parts of a request.
  package init(
    method: String, path: String, query: [FormItem] = [], headers: [Field] = [],
    body: [UInt8] = []
  ) {
    self.method = method
    self.path = path
    self.query = query
    self.headers = headers
    self.body = body
  }

  /// Returns the values of a header field, in order, its name compared without case.
  package func headers(named name: String) -> [String] {
    headers.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }
}
