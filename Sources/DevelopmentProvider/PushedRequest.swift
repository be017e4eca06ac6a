internal import LoopbackHTTP
internal import StrictJSON

/// An authorization request that waits for its browser (RFC 9126).
struct PushedRequest: Sendable {
  /// The parameters of the request.
  let items: [FormItem]

  /// Until when it is good.
  let expiresAt: Duration
}

extension ProviderState {
  /// Takes a pushed authorization request (RFC 9126 2).
  ///
  /// - Returns: The members of the answer.
  /// - Throws: The error of the RFC.
  mutating func push(
    _ items: [FormItem], authorization: String?, now: Duration
  ) throws(OAuthError) -> JSONObject {
    let parameters = try RequestParameters(items)
    let client = try authenticate(parameters, authorization: authorization)
    guard parameters["request_uri"] == nil else {
      throw OAuthError("invalid_request", "a request_uri cannot be pushed")
    }
    var request = items.filter { !["client_secret", "client_id"].contains($0.name) }
    request.append(FormItem(name: "client_id", value: client.identifier))
    let reference = "urn:ietf:params:oauth:request_uri:" + makeToken()
    pushed = pushed.filter { $0.value.expiresAt > now }
    pushed[reference] = PushedRequest(items: request, expiresAt: now + .seconds(60))
    return ["request_uri": .string(reference), "expires_in": .integer(60)]
  }
}
