import DevelopmentProvider
import HTTPExchange
import JOSE
import StrictJSON

/// A client of the provider as a test drives it: form in, JSON out.
struct ProviderBrowser {
  let provider: LoopbackProvider
  let clientID: String
  private let client = HTTPClient()

  init(_ provider: LoopbackProvider, clientID: String = "desktop") {
    self.provider = provider
    self.clientID = clientID
  }

  // RFC 7636 appendix B
  static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  static let redirectURI = "http://127.0.0.1:9999/callback"

  static func encode(_ items: [(String, String)]) -> String {
    items.map { "\(escape($0.0))=\(escape($0.1))" }.joined(separator: "&")
  }

  private static func escape(_ text: String) -> String {
    text.utf8.map { byte in
      let character = Character(Unicode.Scalar(byte))
      if character.isASCII, character.isLetter || character.isNumber || "-._~".contains(character) {
        return String(character)
      }
      let digits = String(byte, radix: 16, uppercase: true)
      return "%" + (digits.count == 1 ? "0" : "") + digits
    }.joined()
  }

  func get(
    _ path: String, _ items: [(String, String)] = [], bearer: String? = nil
  ) async throws -> HTTPResponse {
    let query = items.isEmpty ? "" : "?" + Self.encode(items)
    let headers = bearer.map { [(name: "Authorization", value: "Bearer \($0)")] } ?? []
    return try await client.send(
      HTTPRequest(url: provider.issuer + path + query, headers: headers))
  }

  func post(
    _ path: String, _ items: [(String, String)], headers: [(name: String, value: String)] = []
  ) async throws -> HTTPResponse {
    let form = (name: "Content-Type", value: "application/x-www-form-urlencoded")
    return try await client.send(
      HTTPRequest(
        method: .post, url: provider.issuer + path, headers: [form] + headers,
        body: Array(Self.encode(items).utf8)))
  }

  /// The parameters of a good authorization request.
  func authorizationRequest(scope: String = "openid profile email offline_access")
    -> [(String, String)]
  {
    [
      ("client_id", clientID), ("response_type", "code"), ("redirect_uri", Self.redirectURI),
      ("scope", scope), ("state", "st 1"), ("nonce", "n-1"),
      ("code_challenge", Self.challenge), ("code_challenge_method", "S256"),
    ]
  }

  /// Signs in by the browser flow with a provider that approves by itself.
  func code(scope: String = "openid profile email offline_access") async throws -> String {
    let answer = try await get("/authorize", authorizationRequest(scope: scope))
    return answer.parameters["code"] ?? ""
  }

  func codeRequest(_ code: String) -> [(String, String)] {
    [
      ("grant_type", "authorization_code"), ("client_id", clientID), ("code", code),
      ("redirect_uri", Self.redirectURI), ("code_verifier", Self.verifier),
    ]
  }

  /// Signs in and redeems the code.
  func tokens(scope: String = "openid profile email offline_access") async throws -> JSONValue {
    try await post("/token", codeRequest(code(scope: scope))).json
  }

  func refresh(_ token: String, scope: String? = nil) async throws -> HTTPResponse {
    try await post(
      "/token",
      [("grant_type", "refresh_token"), ("client_id", clientID), ("refresh_token", token)]
        + (scope.map { [("scope", $0)] } ?? []))
  }
}

extension HTTPResponse {
  /// The body as JSON.
  var json: JSONValue {
    get throws { try JSONValue(parsing: body) }
  }

  /// The body as text.
  var text: String { String(decoding: body, as: UTF8.self) }

  /// The OAuth error in the body.
  var oauthError: String? { (try? json)?["error"]?.string }

  /// The parameters of the redirection, not decoded but for the space.
  var parameters: [String: String] {
    let query = headers["Location"]?.split(separator: "?", maxSplits: 1).last ?? ""
    var result: [String: String] = [:]
    for part in query.split(separator: "&") {
      let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      result[String(sides[0])] = String(sides[1])
    }
    return result
  }
}

extension JSONValue {
  /// The string member of that name, empty where it is missing.
  func text(_ name: String) -> String { self[name]?.string ?? "" }
}

/// Makes a provider that approves by itself and whose key is quick to make.
func makeProvider(
  _ change: (inout ProviderConfiguration) -> Void = { _ in }
) throws -> LoopbackProvider {
  var configuration = ProviderConfiguration()
  configuration.approval = .automatic
  configuration.algorithm = .es256
  change(&configuration)
  return try LoopbackProvider(configuration)
}
