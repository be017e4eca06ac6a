import CCurl
import Glibc

/// Process-wide state of libcurl: initialised once, with the environment cleaned first.
enum CurlLibrary {
  /// Initialises libcurl on first use; false if it could not be.
  ///
  /// libcurl opens the file named by `SSLKEYLOGFILE` while it initialises, and then writes every
  /// session's TLS secrets into it, so the variable goes first.
  static let isReady: Bool = {
    removeKeyLog()
    return tv_curl_global_init() == CURLE_OK
  }()

  /// Takes `SSLKEYLOGFILE` out of the environment (`unsetenv(3)`).
  static func removeKeyLog() {
    unsafe unsetenv("SSLKEYLOGFILE")
  }
}
