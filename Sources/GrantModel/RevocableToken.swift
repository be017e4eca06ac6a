import SecretMemory

/// A token by which a provider can be told to forget a grant (RFC 7009 2.1).
///
/// It is the refresh token where there is one; a grant without one is forgotten by its access token.
package enum RevocableToken: Sendable {
  /// A refresh token, with which the whole grant ends.
  case refreshToken(RefreshToken)
  /// The access token of a grant that has nothing else.
  ///
  /// Secret.
  case accessToken(String)

  /// Takes the token that stands for a grant.
  package init(refreshToken: RefreshToken?, accessToken: String) {
    self =
      if let refreshToken { .refreshToken(refreshToken) } else { .accessToken(accessToken) }
  }

  /// Copies the token as text, for a request to the provider or a record of the store.
  package func copiedText() -> String {
    switch self {
    case .refreshToken(let token): token.copiedText()
    case .accessToken(let text): text
    }
  }

  /// Whether two tokens are the same, in constant time.
  package func isSame(as other: RevocableToken) -> Bool {
    switch (self, other) {
    case (.refreshToken(let token), .refreshToken(let other)): token.isSame(as: other)
    case (.accessToken(let text), .accessToken(let other)): constantTimeEqual(text, other)
    default: false
    }
  }
}

extension RevocableToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind, without the token.
  package var description: String {
    switch self {
    case .refreshToken: "refresh token (not shown)"
    case .accessToken: "access token (not shown)"
    }
  }
  /// The same as `description`.
  package var debugDescription: String { description }
  /// No children, so that `dump` shows no token.
  package var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension Grant {
  /// The token by which the provider can be told to forget the grant.
  package var revocableToken: RevocableToken {
    RevocableToken(refreshToken: refreshToken, accessToken: accessToken)
  }
}
