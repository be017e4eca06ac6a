import SecretMemory

/// How a client proves itself at the token, device and revocation endpoints (RFC 6749 2.3.1).
package enum ClientAuthentication: Sendable {
  /// Reads the client secret, which may be in a file or come from a command.
  package typealias Secret = @Sendable () async throws(ClientSecretError) -> String

  /// A public client: it sends its identifier and no proof.
  case none
  /// A secret, by whichever of the two methods the metadata names.
  case secret(Secret)
  /// `client_secret_basic`.
  case basic(Secret)
  /// `client_secret_post`.
  case post(Secret)

  /// Whether the client has a secret.
  package var isConfidential: Bool {
    if case .none = self { false } else { true }
  }
}

/// Why the client secret could not be had; the text is one sentence without any of it.
package struct ClientSecretError: Error, Sendable, Hashable, CustomStringConvertible {
  /// One sentence on what failed.
  package let description: String

  /// Makes an error from its sentence.
  package init(_ description: String) {
    self.description = description
  }
}

/// What is added to a request for the client's sake.
struct ClientCredentials: Sendable {
  /// Parameters of the body.
  var parameters: [(String, String)] = []
  /// Header fields.
  var headers: [(name: String, value: String)] = []

  /// Makes the credentials of a client.
  ///
  /// - Parameters:
  ///   - clientId: the client identifier.
  ///   - authentication: how the client is configured to prove itself.
  ///   - methods: `token_endpoint_auth_methods_supported`; nil where the metadata has none.
  /// - Returns: what to add to the request.
  /// - Throws: `ExchangeFailure.local` if there is no secret to be had.
  static func make(
    clientId: String, authentication: ClientAuthentication, methods: [String]?
  ) async throws(ExchangeFailure) -> ClientCredentials {
    switch authentication {
    case .none:
      // No Authorization field: an empty password is a wrong one to some providers.
      return ClientCredentials(parameters: [("client_id", clientId)])
    case .basic(let secret):
      return basic(clientId, try await read(secret))
    case .post(let secret):
      return post(clientId, try await read(secret))
    case .secret(let secret):
      // RFC 8414: a document without the list means client_secret_basic.
      let methods = methods ?? ["client_secret_basic"]
      let usesPost =
        !containsBytes(methods, "client_secret_basic")
        && containsBytes(methods, "client_secret_post")
      let text = try await read(secret)
      return usesPost ? post(clientId, text) : basic(clientId, text)
    }
  }

  private static func read(
    _ secret: ClientAuthentication.Secret
  ) async throws(ExchangeFailure) -> String {
    do throws(ClientSecretError) {
      return try await secret()
    } catch {
      throw .local("\(error)")
    }
  }

  private static func post(_ clientId: String, _ secret: String) -> ClientCredentials {
    ClientCredentials(parameters: [("client_id", clientId), ("client_secret", secret)])
  }

  /// RFC 6749 2.3.1: both parts are form-encoded before they are joined.
  private static func basic(_ clientId: String, _ secret: String) -> ClientCredentials {
    let pair = "\(FormText.encode(clientId)):\(FormText.encode(secret))"
    return ClientCredentials(headers: [("Authorization", "Basic \(base64(Array(pair.utf8)))")])
  }

  /// Base 64 with the standard alphabet and padding (RFC 4648 4), from the URL-safe form.
  private static func base64(_ bytes: [UInt8]) -> String {
    let text = SecretMemory.Base64URL.encode(bytes).utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "-"): UInt8(ascii: "+")
      case UInt8(ascii: "_"): UInt8(ascii: "/")
      default: byte
      }
    }
    let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - text.count % 4) % 4)
    return String(decoding: text + padding, as: UTF8.self)
  }
}
