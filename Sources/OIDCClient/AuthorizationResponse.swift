import SecretMemory

/// Judges the answer to an authorization request (RFC 6749 4.1.2, RFC 9207 2.4).
package enum AuthorizationResponse {
  /// What an answer means for the transaction that it claims to be for.
  package enum Verdict: Sendable, Hashable {
    /// The code to exchange. Secret until it is used.
    case code(String)
    /// The provider refused.
    case refused(OAuthError)
    /// The answer is not this transaction's, which is over all the same; the text says why.
    case mismatch(String)
    /// The answer must not be believed in any way; the transaction goes on waiting.
    case ignored(String)
  }

  /// Judges an answer.
  ///
  /// The state comes first, as without it nothing shows that the answer belongs here; then the
  /// issuer, also for errors: one from another server must not end the sign-in at this one.
  ///
  /// - Parameters:
  ///   - parameters: every parameter of the redirect, decoded once, in order, repeats included.
  ///   - transaction: the transaction that waits.
  ///   - requiresIssuer: whether the metadata promises `iss` in the answer.
  /// - Returns: what the answer means.
  package static func judge(
    _ parameters: [(name: String, value: String)], transaction: AuthorizationTransaction,
    requiresIssuer: Bool
  ) -> Verdict {
    for (index, parameter) in parameters.enumerated()
    where parameters[..<index].contains(where: { sameBytes($0.name, parameter.name) }) {
      return .mismatch("a parameter occurs twice")
    }
    let value = { (name: String) in parameters.first { sameBytes($0.name, name) }?.value }
    guard let state = value("state") else { return .mismatch("it has no state") }
    guard constantTimeEqual(state, transaction.state) else {
      return .mismatch("its state is not the one that was sent")
    }
    let error = value("error")
    if let reason = issuerObjection(value("iss"), transaction.issuer, requiresIssuer) {
      return error == nil ? .mismatch(reason) : .ignored(reason)
    }
    if let error { return .refused(OAuthError(error)) }
    guard let code = value("code"), !code.isEmpty else { return .mismatch("it has no code") }
    return .code(code)
  }

  /// An issuer that was not promised is compared all the same: a wrong one is a mix-up.
  private static func issuerObjection(
    _ stated: String?, _ issuer: String, _ isRequired: Bool
  ) -> String? {
    guard let stated else { return isRequired ? "it has no iss" : nil }
    return sameBytes(stated, issuer) ? nil : "its iss is another issuer"
  }
}
