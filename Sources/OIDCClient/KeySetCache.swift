import HTTPExchange
import JOSE
import SessionModel

/// The provider's keys, fetched when needed and again when a token names an unknown one.
actor KeySetCache {
  /// How long no second fetch follows the first for an unknown key: a stranger's tokens must not
  /// make this client a burden to the provider.
  static let coolDown = Duration.seconds(300)

  /// How long keys are used before they are fetched again: one that the provider has withdrawn is
  /// not trusted for much longer.
  static let maximumAge = Duration.seconds(86_400)

  private let requests: ProviderRequests
  private var known: (location: String, keys: JSONWebKeySet, fetchedAt: Duration)?
  private var refetchedAt: Duration?

  init(requests: ProviderRequests) {
    self.requests = requests
  }

  /// Verifies a token with the keys at a location, fetching them at most once.
  ///
  /// - Parameters:
  ///   - text: the ID token as it came.
  ///   - expectations: what it has to say.
  ///   - metadata: where the keys are and which algorithms are agreed on.
  /// - Returns: the verified token, or the check that it failed.
  /// - Throws: `ExchangeFailure` when the keys cannot be had.
  func verify(
    _ text: String, expectations: IDTokenExpectations, metadata: ProviderMetadata
  ) async throws(ExchangeFailure) -> Result<VerifiedIDToken, IDTokenError> {
    guard let address = metadata.keys else {
      throw .configuration("\(MetadataError.missing("jwks_uri"))")
    }
    let allowed = requests.configuration.idTokenAlgorithms ?? metadata.idTokenAlgorithms
    let attempt = { [requests] (keys: JSONWebKeySet) -> Result<VerifiedIDToken, IDTokenError> in
      do throws(IDTokenError) {
        return .success(
          try IDTokenVerifier.verify(
            text, expectations: expectations, allowed: allowed, keys: keys,
            now: requests.time.now().rawValue))
      } catch {
        return .failure(error)
      }
    }
    guard let known, sameBytes(known.location, address.text) else {
      return attempt(try await fetch(address))
    }
    if requests.time.elapsed() - known.fetchedAt >= Self.maximumAge, mayRefetch() {
      // Keys that cannot be fetched again go on being used, as a day-old document does.
      if let keys = try? await fetch(address) { return attempt(keys) }
    }
    let result = attempt(known.keys)
    guard case .failure(.signature(let error)) = result, Self.mayBeStale(error, text),
      mayRefetch()
    else { return result }
    return attempt(try await fetch(address))
  }

  /// Whether newer keys could make a difference.
  private static func mayBeStale(_ error: JOSEError, _ text: String) -> Bool {
    switch error {
    case .unknownKey, .noFittingKey: true
    // A token that names no key may be signed with one that was not published before.
    case .signatureInvalid: (try? CompactJWS(parsing: text))?.keyID == nil
    default: false
    }
  }

  private func mayRefetch() -> Bool {
    let now = requests.time.elapsed()
    if let refetchedAt, now - refetchedAt < Self.coolDown { return false }
    refetchedAt = now
    return true
  }

  private func fetch(_ address: WebAddress) async throws(ExchangeFailure) -> JSONWebKeySet {
    let response = try await requests.document(address)
    do throws(JOSEError) {
      let keys = try JSONWebKeySet(parsing: response.body)
      known = (address.text, keys, requests.time.elapsed())
      return keys
    } catch {
      throw .invalid("keys: \(error)")
    }
  }
}
