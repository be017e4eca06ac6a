import JOSE

/// The input is a JSON Web Key Set.
enum KeyInput {
  private static let token =
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNv"
    + "bS9pc19yb290Ijp0cnVlfQ."
    + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

  static func digest(_ input: [UInt8]) throws(FuzzFinding) {
    guard let set = try? JSONWebKeySet(parsing: input) else { return }
    try demand(set.count <= JSONWebKeySet.maximumCount, "a set has a greatest length")
    guard set.count > 0, let token = try? CompactJWS(parsing: Self.token) else { return }
    let verified = try? token.verify(allowed: [.es256], keys: set)
    if let verified { try demand(verified.bytes == token.unverifiedPayload, "one payload") }
  }
}
