package import GrantModel
package import HTTPExchange
import SessionModel

/// Builds the URL of an authorization request (OpenID Connect Core 3.1.2.1).
package enum AuthorizationRequest {
  /// Parameters that carry the protocol, which neither configuration nor caller may set.
  static let reserved = [
    "client_id", "client_secret", "code_challenge", "code_challenge_method", "nonce",
    "redirect_uri", "request", "request_uri", "response_mode", "response_type", "scope", "state",
  ]

  /// Joins the configured parameters with those of a sign-in, which come first by name.
  ///
  /// - Parameters:
  ///   - configured: those of every sign-in.
  ///   - methods: the ways to sign in that the request may name.
  ///   - request: what the person asked for.
  /// - Returns: the parameters in order, each name once.
  /// - Throws: `ExchangeFailure.configuration` for a parameter that carries the protocol, for a
  ///   `max_age` that is no number, and for a way to sign in that is not configured.
  package static func parameters(
    configured: [SignInRequest.Parameter], methods: [LoginMethod] = [], request: SignInRequest
  ) throws(ExchangeFailure) -> [SignInRequest.Parameter] {
    var result: [SignInRequest.Parameter] = []
    var all = request.parameters
    if let hint = request.loginHint {
      all.insert(SignInRequest.Parameter(name: "login_hint", value: hint), at: 0)
    }
    if let name = request.loginMethod { all += try method(name, of: methods).parameters }
    for parameter in all + configured
    where !result.contains(where: { sameBytes($0.name, parameter.name) }) {
      guard !parameter.name.isEmpty, !containsBytes(reserved, parameter.name) else {
        throw .configuration("the authorization parameter \(parameter.name) cannot be set")
      }
      if sameBytes(parameter.name, "max_age"), (Int64(parameter.value) ?? -1) < 0 {
        throw .configuration("max_age is not a number of seconds")
      }
      result.append(parameter)
    }
    return result
  }

  private static func method(
    _ name: String, of methods: [LoginMethod]
  ) throws(ExchangeFailure) -> LoginMethod {
    if let method = methods.first(where: { sameBytes($0.name, name) }) { return method }
    let known = methods.map(\.name).joined(separator: ", ")
    throw .configuration(
      "the configuration has no login method \(PrintableText.quoted(name)); "
        + (known.isEmpty ? "add it under loginMethods" : "those it has are \(known)"))
  }

  /// Builds the URL for the person's browser.
  ///
  /// - Parameters:
  ///   - endpoint: the authorization endpoint, whose own query is kept.
  ///   - transaction: the transaction that waits for the response.
  ///   - parameters: further parameters, checked by `parameters(configured:request:)`.
  /// - Returns: the URL.
  package static func url(
    endpoint: WebAddress, transaction: AuthorizationTransaction,
    parameters: [SignInRequest.Parameter] = []
  ) -> String {
    url(endpoint: endpoint, pairs: pairs(transaction: transaction, parameters: parameters))
  }

  /// The parameters of a request, in their order.
  static func pairs(
    transaction: AuthorizationTransaction, parameters: [SignInRequest.Parameter]
  ) -> [(String, String)] {
    var pairs = [
      ("response_type", "code"),
      ("client_id", transaction.clientId),
      ("redirect_uri", transaction.redirectURI),
      ("scope", transaction.scopes.joined(separator: " ")),
      ("state", transaction.state),
    ]
    if let nonce = transaction.nonce { pairs.append(("nonce", nonce)) }
    pairs += [
      ("code_challenge", transaction.proofKey.challenge),
      ("code_challenge_method", ProofKey.method),
    ]
    pairs += parameters.map { ($0.name, $0.value) }
    return pairs
  }

  /// Adds parameters to an endpoint's own query.
  static func url(endpoint: WebAddress, pairs: [(String, String)]) -> String {
    let separator =
      endpoint.query == nil ? "?" : endpoint.text.utf8.last == UInt8(ascii: "?") ? "" : "&"
    return endpoint.text + separator + FormText.query(pairs)
  }
}
