package import GrantModel
import HTTPExchange
import SessionModel

extension OIDCSessionSource {
  // Whoever looks is waiting, and a provider that takes longer is as good as none.
  private static let reachTimeout = Duration.seconds(3)

  /// Gets the provider's metadata once more, with no credential, to see whether it answers.
  ///
  /// Where the configuration names all endpoints, the token endpoint is got, which answers that it
  /// wants a `POST`. Nothing is taken from the answer but its status and its date.
  package func reach() async -> ProviderReach? {
    let address: String
    do throws(ExchangeFailure) {
      if let token = configuration.endpoints.token, configuration.isComplete {
        address = token
      } else {
        address = try MetadataLocation.openID(issuer: configuration.issuer).text
      }
    } catch {
      return .silent("\(error.transientCause.0)")
    }
    let sent = requests.time.now().rawValue
    do throws(HTTPError) {
      let response = try await requests.http.send(
        HTTPRequest(
          url: address, headers: [("Accept", "application/json")], timeout: Self.reachTimeout,
          connectTimeout: Self.reachTimeout))
      return .answered(
        status: response.status,
        clockLead: response.clockLead(sent: sent, received: requests.time.now().rawValue))
    } catch {
      return .silent("\(error)")
    }
  }
}
