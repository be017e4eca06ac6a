import CSodium

/// The one-time start of libsodium (`sodium_init`), on which every other call here relies.
enum SodiumLibrary {
  private static let isReady = sodium_init() >= 0

  /// Starts libsodium unless it was started before.
  ///
  /// Any thread may call it, any number of times.
  static func start() {
    precondition(isReady, "sodium_init failed: the system gives no random numbers")
  }
}

/// The version of the libsodium in use (`sodium_version_string`), such as `1.0.18`.
package func sodiumVersion() -> String {
  unsafe String(cString: sodium_version_string())
}
