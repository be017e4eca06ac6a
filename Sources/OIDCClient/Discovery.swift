import HTTPExchange
import SessionModel
import StrictJSON

/// Fetches the provider's metadata and keeps it (OpenID Connect Discovery 4).
actor Discovery {
  /// How long a document is used before it is fetched again.
  static let maximumAge = Duration.seconds(86_400)

  private let requests: ProviderRequests
  private var known: (metadata: ProviderMetadata, fetchedAt: Duration)?

  init(requests: ProviderRequests) {
    self.requests = requests
  }

  /// The metadata, fetched on first use and once a day.
  ///
  /// A day-old document that cannot be fetched again goes on being used.
  ///
  /// - Throws: `ExchangeFailure`.
  func metadata() async throws(ExchangeFailure) -> ProviderMetadata {
    let now = requests.time.elapsed()
    if let known, now - known.fetchedAt < Self.maximumAge { return known.metadata }
    do throws(ExchangeFailure) {
      let metadata = try await fetch()
      known = (metadata, now)
      return metadata
    } catch {
      guard let known else { throw error }
      return known.metadata
    }
  }

  private func fetch() async throws(ExchangeFailure) -> ProviderMetadata {
    let configuration = requests.configuration
    guard !configuration.isComplete else {
      return try Self.read(nil, configuration)
    }
    let address = try Self.location(ofIssuer: configuration.issuer)
    let response = try await requests.document(address)
    do throws(ExchangeFailure) {
      return try Self.read(ProviderAnswer.json(response.body), configuration)
    } catch {
      guard case .unreadable(let what) = error else { throw error }
      throw .invalid("metadata: \(what)")
    }
  }

  /// The document's place: the issuer without a final slash, and the well-known path.
  private static func location(
    ofIssuer issuer: String
  ) throws(ExchangeFailure) -> WebAddress {
    // A query or a fragment would swallow the path that is added (OpenID Connect Discovery 3).
    guard !issuer.utf8.contains(UInt8(ascii: "?")), !issuer.utf8.contains(UInt8(ascii: "#")) else {
      throw .configuration("the issuer has a query or a fragment; leave it out")
    }
    let base = issuer.utf8.last == UInt8(ascii: "/") ? String(issuer.dropLast()) : issuer
    do throws(HTTPError) {
      return try WebAddress(base + "/.well-known/openid-configuration")
    } catch {
      throw .configuration("the issuer cannot be asked: \(error)")
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
