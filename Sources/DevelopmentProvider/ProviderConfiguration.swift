internal import Glibc
package import JOSE

/// How the provider behaves.
package struct ProviderConfiguration: Sendable {
  /// Who says yes when a person is asked.
  package enum Approval: Sendable, Equatable {
    /// The person, by the button of the page.
    case page

    /// The provider itself, at once; a device code at its second poll.
    case automatic

    /// The provider itself says no: `access_denied`.
    case denied
  }

  /// What an access token looks like.
  package enum AccessTokenForm: Sendable, Equatable {
    /// A random text.
    case opaque

    /// A signed JWT (RFC 9068).
    case jwt
  }

  /// Who may register a client (RFC 7591 1.2).
  package enum Registration: Sendable, Equatable {
    /// Whoever asks.
    case open

    /// Whoever has this initial access token.
    case withToken(String)
  }

  /// The port, or 0 for any free one.
  package var port: UInt16 = 0

  /// The path of the issuer, empty or like `/realms/demo`.
  package var issuerPath = ""

  /// How long an access token is valid.
  package var accessTokenLifetime = Duration.seconds(300)

  /// Whether token responses say `expires_in`.
  package var statesLifetime = true

  /// How long a refresh token is valid from its issue, nil for ever.
  package var refreshTokenLifetime: Duration?

  /// How long an authorization code is valid.
  package var codeLifetime = Duration.seconds(60)

  /// Whether a refresh replaces the refresh token (RFC 9700 4.14.2).
  package var rotatesRefreshTokens = true

  /// Whether the use of a replaced refresh token revokes its whole family.
  package var detectsReuse = true

  /// How long a replaced refresh token is still taken.
  package var reuseGrace = Duration.zero

  /// Whether a refresh response has an ID token.
  package var issuesIDTokenOnRefresh = true

  /// Whether an authorization response carries `iss` (RFC 9207).
  package var statesIssuerInResponse = true

  /// The interval a device is told to poll at, and held to.
  package var deviceInterval = Duration.seconds(5)

  /// How long a device code is valid.
  package var deviceLifetime = Duration.seconds(600)

  /// Who says yes.
  package var approval = Approval.page

  /// What access tokens look like.
  package var accessTokenForm = AccessTokenForm.opaque

  /// Whether an authorization request has to be pushed first (RFC 9126).
  package var requiresPushedRequests = false

  /// Who may register a client.
  package var registration = Registration.open

  /// What every token and code begins with, so that a search finds them wherever they got.
  package var tokenPrefix = ""

  /// The accounts; `login_hint` picks one, else it is the first.
  package var accounts = [ProviderAccount.alice]

  /// The registered clients.
  package var clients = [ProviderClient.desktop]

  /// The algorithm of the key that is made at the start.
  package var algorithm = SignatureAlgorithm.rs256

  /// Tells the time since 1970.
  package var wallTime: @Sendable () -> Duration = {
    var now = timespec()
    unsafe clock_gettime(CLOCK_REALTIME, &now)
    return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
  }

  /// Makes a configuration with one account and one public client.
  package init() {}

  /// Whether a text can be the path of an issuer: empty, or segments that each follow a slash.
  package static func isIssuerPath(_ text: String) -> Bool {
    guard !text.isEmpty else { return true }
    let segments = text.split(separator: "/", omittingEmptySubsequences: false)
    return segments[0].isEmpty && segments.count > 1
      && segments.dropFirst().allSatisfy { segment in
        !segment.isEmpty && segment.utf8.allSatisfy(isUnreserved)
      }
  }

  // RFC 3986 2.3
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte) || (0x30...0x39).contains(byte)
      || "-._~".utf8.contains(byte)
  }
}
