package import GrantModel
import SecretMemory
package import StrictJSON

/// A token endpoint's successful answer, of which nothing has been checked.
///
/// There are two steps on purpose: `provisional` holds the rotated refresh token, which has to be
/// durable before anyone looks at the rest.
package struct TokenAnswer: Sendable {
  /// What has to be durable first.
  package let provisional: ProvisionalGrant
  private let object: JSONObject

  /// Takes an answer's object and its tokens, as far as they are usable.
  ///
  /// - Throws: `ExchangeFailure.unreadable` when there is no memory to keep the token in.
  package init(_ object: JSONObject) throws(ExchangeFailure) {
    self.object = object
    let accessToken = Self.token("access_token", in: object)
    do throws(SecretMemoryError) {
      provisional = ProvisionalGrant(
        refreshToken: try Self.token("refresh_token", in: object).map(RefreshToken.init),
        accessToken: accessToken)
    } catch {
      throw .unreadable("\(error)")
    }
  }

  /// Checks the rest of the answer.
  ///
  /// - Parameter isRenewable: whether a refresh token is in force, from this answer or before it.
  /// - Returns: the answer in a form that can be relied on.
  /// - Throws: `ExchangeFailure.invalid`.
  package func checked(isRenewable: Bool) throws(ExchangeFailure) -> TokenResponse {
    guard object["error"]?.string == nil else {
      throw .invalid("it has an error besides a token")
    }
    if let token = object["refresh_token"], !token.isNull, provisional.refreshToken == nil,
      token.string?.isEmpty != true
    {
      throw .invalid("refresh_token is not a token")
    }
    guard let accessToken = provisional.accessToken else {
      throw .invalid("access_token is missing or is not a token")
    }
    guard let type = object["token_type"]?.string, type.lowercased() == "bearer" else {
      throw .invalid("token_type is not Bearer")
    }
    var idToken: String?
    if let value = object["id_token"], !value.isNull {
      guard let text = value.string, TokenText.isToken(text) else {
        throw .invalid("id_token is not a token")
      }
      idToken = text
    }
    return TokenResponse(
      accessToken: accessToken,
      lifetime: TokenLifetime.read(object["expires_in"], isRenewable: isRenewable),
      renewableFor: Self.renewableFor(object), scope: Self.scope(object["scope"]),
      idToken: idToken)
  }

  private static func token(_ name: String, in object: JSONObject) -> String? {
    guard let text = object[name]?.string, TokenText.isToken(text) else { return nil }
    return text
  }

  /// No RFC has a name for it: Google and GitHub have one, Keycloak another, with 0 for no end.
  private static func renewableFor(_ object: JSONObject) -> Duration? {
    ["refresh_token_expires_in", "refresh_expires_in"].lazy
      .compactMap { TokenLifetime.read(object[$0], isRenewable: false) }
      .first.flatMap { $0 > .zero ? $0 : nil }
  }

  /// A text of names, or an array of them; anything else is as good as absent.
  private static func scope(_ value: JSONValue?) -> String? {
    let text = value?.string ?? value?.array?.compactMap(\.string).joined(separator: " ")
    guard let text else { return nil }
    let names = text.utf8.split(separator: 0x20).map { String(Substring($0)) }
    guard !names.isEmpty, names.allSatisfy(TokenText.isScopeName) else { return nil }
    return names.joined(separator: " ")
  }
}

extension TokenAnswer: CustomStringConvertible, CustomReflectable {
  /// A fixed text: everything in it is a credential.
  package var description: String { "TokenAnswer(not shown)" }
  /// No children, so that `dump` shows no token.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

/// The characters of tokens and scopes (RFC 6749, appendix A).
enum TokenText {
  /// The longest token that is kept.
  static let maximumLength = 65_536

  /// Whether a text can be a token: visible ASCII, so that it cannot break a header field.
  static func isToken(_ text: String) -> Bool {
    (1...maximumLength).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }

  /// Whether a text is one name of a scope (RFC 6749 3.3).
  static func isScopeName(_ text: String) -> Bool {
    (1...1024).contains(text.utf8.count)
      && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
  }
}
