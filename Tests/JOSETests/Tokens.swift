import JOSE
import Testing

/// Tokens and keys that more than one suite needs.
enum Tokens {
  /// The payload of RFC 7515, appendix A.
  static let payload =
    "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVl"
    + "fQ"

  /// The same, decoded.
  static let payloadText =
    "{\"iss\":\"joe\",\r\n \"exp\":1300819380,\r\n \"http://example.com/is_root\":true}"

  /// The token of RFC 7515, A.2.
  static let rs256 =
    "eyJhbGciOiJSUzI1NiJ9." + payload + "."
    + "cC4hiUPoj9Eetdgtv3hF80EGrhuB__dzERat0XF9g2VtQgr9PJbu3XOiZj5RZmh7AAuHIm4Bh-0Qc_lF5YKt_O8W2Fp5"
    + "jujGbds9uJdbF9CUAr7t1dnZcAcQjbKBYNX4BAynRFdiuB--f_nZLgrnbyTyWzO75vRK5h6xBArLIARNPvkSjtQBMHlb"
    + "1L07Qe7K0GarZRmB_eSN9383LcOLn6_dO--xi12jzDwusC-eOkHWEsqtFZESc6BfI7noOPqvhJ1phCnvWh6IeYI2w9QO"
    + "YEUipUTI8np6LbgGY9Fs98rqVt5AXLIhWkWywlVmtVrBp0igcN_IoypGlUPQGe77Rw"

  /// The modulus of A.2.
  static let modulus =
    "ofgWCuLjybRlzo0tZWJjNiuSfb4p4fAkd_wWJcyQoTbji9k0l8W26mPddxHmfHQp-Vaw-4qPCJrcS2mJPMEzP1Pt0Bm4"
    + "d4QlL-yRT-SFd2lZS-pCgNMsD1W_YpRPEwOWvG6b32690r2jZ47soMZo9wGzjb_7OMg0LOL-bSf63kpaSHSXndS5z5re"
    + "xMdbBYUsLA9e-KXBdQOS-UTo7WTBEMa2R2CapHg665xsmtdVMTBQY4uDZlxvb3qCo5ZwKh9kG4LT6_I5IhlJH7aGhyxX"
    + "FvUK-DWNmoudF8NAco9_h9iaGNj8q2ethFkMLs91kzk2PAcDTW9gb54h4FRWyuXpoQ"

  /// The members of A.2's key.
  static let rsaKey = "\"kty\":\"RSA\",\"e\":\"AQAB\",\"n\":\"\(modulus)\""

  /// The token of RFC 7515, A.3.
  static let es256 =
    "eyJhbGciOiJFUzI1NiJ9." + payload + "."
    + "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q"

  /// The members of A.3's key.
  static let ecKey = """
    "kty":"EC","crv":"P-256","x":"f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",\
    "y":"x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0"
    """

  /// The private number of A.3's key.
  static let ecPrivateNumber = "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI"

  /// A set of keys, each given by its members.
  static func keySet(_ keys: String...) throws(JOSEError) -> JSONWebKeySet {
    let list = keys.map { "{\($0)}" }.joined(separator: ",")
    return try JSONWebKeySet(parsing: Array("{\"keys\":[\(list)]}".utf8))
  }

  /// A token of these parts, unsigned.
  static func token(header: String, payload: String = payload, signature: String = "AA") -> String {
    "\(Base64URL.encode(header.utf8)).\(payload).\(signature)"
  }

  /// What verification throws, or nil where it succeeds.
  static func refusal(
    _ token: String, _ keys: JSONWebKeySet,
    allowed: Set<SignatureAlgorithm> = Set(SignatureAlgorithm.allCases)
  ) -> JOSEError? {
    do throws(JOSEError) {
      _ = try CompactJWS(parsing: token).verify(allowed: allowed, keys: keys)
      return nil
    } catch {
      return error
    }
  }
}
