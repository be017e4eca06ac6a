package import BrowserFlow
package import GrantModel
import HTTPExchange

extension OIDCSessionSource {
  /// How a sign-in ended, for the person whose browser waits to be told.
  ///
  /// A grant becomes the session first: "connected" must not be said too early.
  func ending(
    _ outcome: GrantOutcome, metadata: ProviderMetadata, journal: some GrantJournal
  ) async -> RedirectEnding {
    let provider = Self.displayName(ofIssuer: metadata.issuer)
    guard case .issued(let issued) = outcome else { return Self.ending(outcome, provider) }
    return switch await journal.adopt(issued) {
    case .adopted(let account, let replaced):
      .connected(account: account, provider: provider, replaced: replaced)
    case .unsaved: .unsaved
    case .unwanted: .cancelled
    }
  }

  /// How a sign-in that brought nothing ended.
  ///
  /// - Parameters:
  ///   - outcome: the outcome.
  ///   - provider: what the page calls the provider.
  /// - Returns: what the page says.
  package static func ending(_ outcome: GrantOutcome, _ provider: String) -> RedirectEnding {
    switch outcome {
    case .terminal(.accessDenied): .denied(provider: provider)
    case .terminal(.otherAccount), .terminal(.accountChanged): .wrongAccount(provider: provider)
    case .terminal(.expired): .expired
    // How a token endpoint says that a code is too old or was used (RFC 6749 5.2); the second is
    // Glewlwyd's word for it.
    case .terminal(.provider(code: "invalid_grant")), .terminal(.provider(code: "invalid_code")):
      .expired
    case .terminal(.cancelled): .cancelled
    case .terminal(.responseMismatch): .mismatched
    case .transient(.network, _), .transient(.tls, _), .transient(.unavailable, _),
      .transient(.rateLimited, _), .transient(.lostAnswer, _):
      .unreachable(provider: provider)
    case .transient(.storage, _): .unsaved
    default: .failed(provider: provider)
    }
  }

  /// The host of an issuer, with its port where it is not https's own; other names as they are.
  package static func displayName(ofIssuer issuer: String) -> String {
    guard let address = try? WebAddress(issuer) else { return issuer }
    return address.isSecure && address.port == 443
      ? address.host : "\(address.host):\(address.port)"
  }
}
