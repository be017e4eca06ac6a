/// What git writes to a credential helper (git-credential(1), "INPUT/OUTPUT FORMAT").
package struct GitCredentialRequest: Sendable, Equatable {
  /// What a helper is asked to do (gitcredentials(7), "CUSTOM HELPERS").
  package enum Operation: String, Sendable {
    /// Answer with a credential.
    case get
    /// Keep a credential that a server has taken.
    case store
    /// Forget a credential that a server has refused.
    case erase
  }

  /// Why what was written cannot be used.
  package enum Failure: Error, Sendable, Hashable, CustomStringConvertible {
    /// A line is no `NAME=VALUE`.
    case noAttribute
    /// An attribute that has one value stands there twice.
    case repeated(String)
    /// An attribute's value holds a control character.
    case controlCharacter(String)

    /// One sentence, which quotes no value.
    package var description: String {
      switch self {
      case .noAttribute: "standard input has a line that is no NAME=VALUE as git writes them"
      case .repeated(let name): "standard input has the attribute \(name) twice"
      case .controlCharacter(let name):
        "the attribute \(name) on standard input holds a control character"
      }
    }
  }

  /// The attribute `protocol`, such as `https`.
  package private(set) var scheme: String?
  /// The attribute `host`, with a port where the URL has one.
  package private(set) var host: String?
  /// The name that the URL has before the host, or that was answered before.
  package private(set) var username: String?
  /// The token of an earlier answer, be it as `password` or as `credential`.
  package private(set) var token: String?
  /// Whether git understands `authtype` and `credential` (2.46 and later).
  package private(set) var understandsAuthtype = false
  /// Whether the server has asked for a bearer token (RFC 6750 3), as git 2.41 and later tell.
  package private(set) var isBearerWanted = false

  /// Reads the attributes up to an empty line or the end; those that are not known are left out.
  ///
  /// Two hosts in one request are an attack on a helper that takes the other one than git does.
  /// - Parameter bytes: what git has written.
  /// - Throws: `Failure`.
  package init(_ bytes: [UInt8]) throws(Failure) {
    var names: Set<String> = []
    for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.isEmpty { break }
      guard let equals = line.firstIndex(of: UInt8(ascii: "=")), equals != line.startIndex else {
        throw .noAttribute
      }
      let name = String(decoding: line[..<equals], as: UTF8.self)
      let value = line[line.index(after: equals)...]
      let text = String(decoding: value, as: UTF8.self)
      switch name {
      case "protocol": scheme = text
      case "host": host = text
      case "username": username = text
      case "password", "credential": token = text
      // An empty value takes back those before it.
      case "capability[]":
        understandsAuthtype = !text.isEmpty && (understandsAuthtype || text == "authtype")
      case "wwwauth[]":
        isBearerWanted = !text.isEmpty && (isBearerWanted || Self.isBearerChallenge(text))
      default: continue
      }
      if name.hasSuffix("[]") { continue }
      guard names.insert(name).inserted else { throw .repeated(name) }
      guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { throw .controlCharacter(name) }
    }
  }

  private static func isBearerChallenge(_ challenge: String) -> Bool {
    challenge.prefix { $0 != " " }.lowercased() == "bearer"
  }
}
