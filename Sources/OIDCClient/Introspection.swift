package import GrantModel
import HTTPExchange
import SessionModel
package import StrictJSON

/// The introspection request (RFC 7662 2).
struct Introspection: Sendable {
  let requests: ProviderRequests
  let metadata: ProviderMetadata

  /// Asks what the provider holds of an access token.
  func ask(about token: String) async -> IntrospectionOutcome {
    guard let endpoint = metadata.introspection else {
      return .unsupported("the provider names no introspection_endpoint")
    }
    do throws(ExchangeFailure) {
      let response = try await requests.post(
        [("token", token), ("token_type_hint", "access_token")], to: endpoint, metadata: metadata)
      let object = try ProviderAnswer.object(of: response, now: requests.time.now().rawValue)
      return .answered(try TokenIntrospection(object, of: token))
    } catch {
      return Self.outcome(
        of: error, isConfidential: requests.configuration.authentication.isConfidential)
    }
  }

  /// What a failure means for whoever asked.
  static func outcome(of failure: ExchangeFailure, isConfidential: Bool) -> IntrospectionOutcome {
    switch failure {
    case .oauth(.invalidClient, _, _), .oauth(.unauthorizedClient, _, _),
      .oauth(.accessDenied, _, _), .refused(status: 401), .refused(status: 403):
      // RFC 7662 2.1: the endpoint must ask for some authorization, so many refuse whoever has none.
      return .unsupported(
        isConfidential
          ? "the provider does not let this client ask about tokens, or its secret is wrong"
          : "the provider does not let a public client ask about tokens")
    case .refused(status: 404), .refused(status: 405), .unavailable(status: 501, _):
      return .unsupported("the provider has nothing at its introspection endpoint")
    case .configuration(let why): return .unsupported(why)
    case .invalid(let check): return .unusable(check)
    case .unreadable(let what): return .unusable("introspection: \(what)")
    default:
      let (cause, retryAfter) = failure.transientCause
      return .transient(cause, retryAfter: retryAfter)
    }
  }
}

extension TokenIntrospection {
  /// Reads an introspection response (RFC 7662 2.2).
  ///
  /// - Parameters:
  ///   - object: the response.
  ///   - token: the token that was asked about, which must not stand in what is shown.
  /// - Throws: `ExchangeFailure.invalid`; members of another kind than the RFC's count as absent,
  ///   but for `active`.
  package init(_ object: JSONObject, of token: String) throws(ExchangeFailure) {
    guard let isActive = object["active"]?.bool else {
      throw .invalid("introspection: active is missing or is not true or false")
    }
    // RFC 7662 2.2: of a token that is not active nothing else should be told, or believed.
    guard isActive else {
      self.init(isActive: false)
      return
    }
    let audience = object["aud"]
    self.init(
      isActive: true, scope: object["scope"]?.string, clientId: object["client_id"]?.string,
      username: object["username"]?.string, tokenType: object["token_type"]?.string,
      expiresAt: Self.time(object["exp"]), issuedAt: Self.time(object["iat"]),
      subject: object["sub"]?.string,
      audience: audience?.string.map { [$0] } ?? audience?.array?.compactMap(\.string) ?? [],
      issuer: object["iss"]?.string)
    let texts = [scope, clientId, username, tokenType, subject, issuer] + self.audience
    guard !texts.contains(where: { $0?.contains(token) == true }) else {
      throw .invalid("introspection: the answer shows the token itself")
    }
    guard texts.allSatisfy({ ($0?.utf8.count ?? 0) <= 2048 }), self.audience.count <= 16 else {
      throw .invalid("introspection: a member is longer than any real one")
    }
  }

  private static func time(_ value: JSONValue?) -> UnixTime? {
    value?.integer.flatMap { $0 > 0 ? UnixTime(rawValue: $0) : nil }
  }
}

extension OIDCSessionSource {
  /// Asks the provider what it holds of the access token (RFC 7662).
  package func introspect(_ grant: Grant) async -> IntrospectionOutcome {
    do throws(ExchangeFailure) {
      return await Introspection(requests: requests, metadata: try await metadata())
        .ask(about: grant.accessToken)
    } catch {
      return Introspection.outcome(
        of: error, isConfidential: configuration.authentication.isConfidential)
    }
  }
}
