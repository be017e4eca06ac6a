import GrantModel
import HTTPExchange
import SessionModel
import StrictJSON

/// Fetches the provider's metadata and keeps it (OpenID Connect Discovery 4).
actor Discovery {
  /// How long a document is used before it is fetched again.
  static let maximumAge = Duration.seconds(86_400)

  /// How long no second fetch follows one of a day-old document that failed: a request that could
  /// be sent at once must not wait for a document each time.
  static let coolDown = Duration.seconds(300)

  private let requests: ProviderRequests
  private let wanted: [String]
  private var known: (metadata: ProviderMetadata, fetchedAt: Duration)?
  private var failedAt: Duration?

  /// Makes a discovery that has fetched nothing.
  ///
  /// - Parameters:
  ///   - requests: sends the requests.
  ///   - wanted: members for whose sake both documents are read, where the first lacks one.
  init(requests: ProviderRequests, wanting wanted: [String] = []) {
    self.requests = requests
    self.wanted = wanted
  }

  /// The metadata, fetched on first use and once a day.
  ///
  /// A day-old document that cannot be fetched again goes on being used; one in whose place comes
  /// what this client must not use, such as another issuer's, does not.
  ///
  /// - Throws: `ExchangeFailure`.
  func metadata() async throws(ExchangeFailure) -> ProviderMetadata {
    let now = requests.time.elapsed()
    if let known {
      if now - known.fetchedAt < Self.maximumAge { return known.metadata }
      if let failedAt, now - failedAt < Self.coolDown { return known.metadata }
    }
    do throws(ExchangeFailure) {
      let metadata = try await fetch()
      known = (metadata, requests.time.elapsed())
      failedAt = nil
      return metadata
    } catch {
      guard let known else { throw error }
      if case .configuration = error { throw error }
      failedAt = requests.time.elapsed()
      return known.metadata
    }
  }

  private func fetch() async throws(ExchangeFailure) -> ProviderMetadata {
    let configuration = requests.configuration
    guard !configuration.isComplete else {
      return try Self.read(nil, configuration)
    }
    var document: JSONObject?
    var failure: ExchangeFailure?
    do throws(ExchangeFailure) {
      document = try await read(MetadataLocation.openID(issuer: configuration.issuer))
    } catch {
      // An authorization server that is no OpenID provider has only the other document.
      guard case .unavailable(status: 400..<429, _) = error else { throw error }
      failure = error
    }
    if needsMore(than: document), let more = try await serverMetadata(isAlone: document == nil) {
      document = document?.addingMembers(of: more) ?? more
    }
    if document == nil, let failure { throw failure }
    return try Self.read(document, configuration)
  }

  /// Whether the authorization server's own metadata may hold what is missing.
  ///
  /// Some providers keep to one document what belongs to OAuth 2.0 and to the other what belongs
  /// to OpenID Connect; most name everything in both, and are asked once.
  private func needsMore(than document: JSONObject?) -> Bool {
    guard let document else { return true }
    let configuration = requests.configuration
    // One that is not this issuer's is refused as it is.
    guard sameBytes(document["issuer"]?.string, configuration.issuer) else { return false }
    if document["revocation_endpoint"] == nil, configuration.endpoints.revocation == nil {
      return true
    }
    if wanted.contains(where: { document[$0] == nil }) { return true }
    return configuration.flow == .device && document["device_authorization_endpoint"] == nil
      && configuration.endpoints.deviceAuthorization == nil
  }

  /// The metadata of RFC 8414; nil where there is none or it is another issuer's.
  ///
  /// - Throws: `ExchangeFailure` when it is the only document and cannot be had.
  private func serverMetadata(isAlone: Bool) async throws(ExchangeFailure) -> JSONObject? {
    let issuer = requests.configuration.issuer
    do throws(ExchangeFailure) {
      let document = try await read(MetadataLocation.authorizationServer(issuer: issuer))
      // Of two documents, one that names another issuer adds nothing; alone it is an error.
      guard !isAlone, let stated = document["issuer"]?.string else { return document }
      return sameBytes(stated, issuer) ? document : nil
    } catch {
      if isAlone, case .unavailable(status: 400..<429, _) = error { return nil }
      if isAlone { throw error }
      return nil
    }
  }

  private func read(_ address: WebAddress) async throws(ExchangeFailure) -> JSONObject {
    let response = try await requests.document(address)
    do throws(ExchangeFailure) {
      return try ProviderAnswer.json(response.body)
    } catch {
      guard case .unreadable(let what) = error else { throw error }
      throw .invalid("metadata: \(what)")
    }
  }

  private static func read(
    _ document: JSONObject?, _ configuration: OIDCConfiguration
  ) throws(ExchangeFailure) -> ProviderMetadata {
    do throws(MetadataError) {
      return try ProviderMetadata(
        document: document, issuer: configuration.issuer, overrides: configuration.endpoints)
    } catch {
      throw .configuration("\(error)")
    }
  }
}
