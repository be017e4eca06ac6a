/// What OpenSSL found wrong with a server's certificate (`X509_V_ERR_*`), in words.
enum CertificateVerdict {
  /// The words for a verify result.
  ///
  /// 0 and 1 (passed, never set) mean that OpenSSL had no objection and libcurl refused the name.
  static func text(_ verdict: Int) -> String {
    switch verdict {
    case 0, 1, 62, 64: "its certificate is for another host"
    case 9: "its certificate is not valid yet"
    case 10: "its certificate has expired"
    case 18: "its certificate is self-signed"
    case 19: "its certificate chain ends in one that is not trusted"
    case 20, 21: "the issuer of its certificate is not known here"
    case 23: "its certificate has been revoked"
    default: "its certificate was refused (verify result \(verdict))"
    }
  }
}
