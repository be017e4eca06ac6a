package import HTTPExchange
package import StrictJSON

/// Reads answers of a provider: what kind they are, and the JSON in them.
package enum ProviderAnswer {
  /// Reads the JSON object of a successful answer.
  ///
  /// The content type is not relied upon, as providers send JSON under many, but a page is no
  /// answer.
  ///
  /// - Parameters:
  ///   - response: the answer.
  ///   - now: the Unix time to which a `Retry-After` date is compared.
  /// - Returns: the object.
  /// - Throws: `ExchangeFailure`.
  package static func object(
    of response: HTTPResponse, now: Int64
  ) throws(ExchangeFailure) -> JSONObject {
    guard response.status == 200 || response.status == 201 else {
      throw failure(of: response, now: now)
    }
    guard !isPage(response) else {
      throw .unavailable(status: response.status, retryAfter: nil)
    }
    let object = try members(of: response)
    if object["access_token"] == nil, let error = object["error"]?.string {
      throw .oauth(OAuthError(error), status: response.status, retryAfter: nil)
    }
    return object
  }

  /// Reads an answer that is not a success.
  package static func failure(of response: HTTPResponse, now: Int64) -> ExchangeFailure {
    let retryAfter = response.retryAfter(now: now)
    guard (400...499).contains(response.status), ![408, 425, 429].contains(response.status),
      !isPage(response)
    else { return .unavailable(status: response.status, retryAfter: retryAfter) }
    guard let object = try? members(of: response), let code = object["error"]?.string else {
      return .refused(status: response.status)
    }
    return .oauth(OAuthError(code), status: response.status, retryAfter: retryAfter)
  }

  /// The members of an answer: JSON, or the form that OAuth 2.0's drafts had and some still send.
  private static func members(
    of response: HTTPResponse
  ) throws(ExchangeFailure) -> JSONObject {
    guard response.contentType == "application/x-www-form-urlencoded",
      response.body.first != UInt8(ascii: "{")
    else { return try json(response.body) }
    guard let pairs = FormText.decode(response.body) else {
      throw .unreadable("the answer is not a form with distinct names")
    }
    return JSONObject(pairs.map { ($0.name, .string($0.value)) })
  }

  /// Whether the answer is a page for people: what a captive portal or a proxy puts in between.
  static func isPage(_ response: HTTPResponse) -> Bool {
    guard let type = response.contentType else { return looksLikePage(response.body) }
    guard type == "text/html" || type == "application/xhtml+xml" else { return false }
    // Some providers send JSON under the default type of their language.
    return looksLikePage(response.body) || response.body.isEmpty
  }

  /// Whether a body begins as a page does.
  static func looksLikePage(_ body: [UInt8]) -> Bool {
    body.first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) } == UInt8(ascii: "<")
  }

  /// Reads a body as a JSON object; a byte order mark, which RFC 8259 lets parsers ignore, is.
  static func json(_ body: [UInt8]) throws(ExchangeFailure) -> JSONObject {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = body.starts(with: mark) ? Array(body.dropFirst(3)) : body
    let value: JSONValue
    do throws(StrictJSONError) {
      value = try JSONValue(parsing: text)
    } catch {
      throw .unreadable("\(error)")
    }
    guard let object = value.object else { throw .unreadable("the answer is not a JSON object") }
    return object
  }
}
