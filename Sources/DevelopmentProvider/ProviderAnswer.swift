internal import LoopbackHTTP
internal import StrictJSON

/// An error of OAuth 2.0: the code of the RFC and a sentence for the log (RFC 6749 5.2).
struct OAuthError: Error, Equatable, Sendable {
  /// The `error` code.
  let code: String

  /// The `error_description`.
  let text: String

  /// The status code of a JSON answer.
  var status = 400

  /// Makes an error.
  init(_ code: String, _ text: String, status: Int = 400) {
    self.code = code
    self.text = text
    self.status = status
  }
}

/// Builds the provider's answers.
enum ProviderAnswer {
  /// Returns a JSON answer that nobody stores (RFC 6749 5.1).
  static func json(
    _ object: JSONObject, status: Int = 200, headers: [LoopbackRequest.Field] = []
  ) -> LoopbackResponse {
    LoopbackResponse(
      status: status,
      headers: [
        .init(name: "Content-Type", value: "application/json"),
        .init(name: "Cache-Control", value: "no-store"),
        .init(name: "Pragma", value: "no-cache"),
      ] + headers, body: object.encoded())
  }

  /// Returns an answer as a form, as some providers of OAuth 2.0 do; numbers become texts.
  static func form(_ object: JSONObject) -> LoopbackResponse {
    let items = object.members.map { member in
      FormItem(
        name: member.name,
        value: member.value.string ?? member.value.integer.map { "\($0)" } ?? "")
    }
    return LoopbackResponse(
      status: 200,
      headers: [
        .init(name: "Content-Type", value: "application/x-www-form-urlencoded; charset=utf-8"),
        .init(name: "Cache-Control", value: "no-store"),
      ], body: Array(FormItem.encode(items).utf8))
  }

  /// Returns an error as JSON; a client that failed to authenticate is told how (RFC 6749 5.2).
  static func error(_ error: OAuthError) -> LoopbackResponse {
    var headers: [LoopbackRequest.Field] = []
    if error.status == 401 {
      let scheme = error.code == "invalid_token" ? "Bearer" : "Basic"
      headers.append(
        .init(name: "WWW-Authenticate", value: "\(scheme) realm=\"development\""))
    }
    return json(
      ["error": .string(error.code), "error_description": .string(error.text)],
      status: error.status, headers: headers)
  }

  /// Returns the refusal of a bearer token (RFC 6750 3).
  static func bearerError(_ error: OAuthError?) -> LoopbackResponse {
    let challenge =
      error.map { "Bearer error=\"\($0.code)\", error_description=\"\($0.text)\"" }
      ?? "Bearer realm=\"development\""
    return LoopbackResponse(
      status: error?.status ?? 401,
      headers: [
        .init(name: "WWW-Authenticate", value: challenge),
        .init(name: "Cache-Control", value: "no-store"),
      ])
  }

  /// Returns a redirection to the client (RFC 6749 4.1.2).
  static func redirect(to uri: String, _ items: [FormItem]) -> LoopbackResponse {
    let separator = uri.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    return LoopbackResponse(
      status: 302,
      headers: [
        .init(name: "Location", value: uri + separator + FormItem.encode(items)),
        .init(name: "Cache-Control", value: "no-store"),
        .init(name: "Referrer-Policy", value: "no-referrer"),
      ])
  }
}
