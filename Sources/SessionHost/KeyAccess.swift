package import SecretMemory
package import SecureStore

/// Why what opens the key could not be had, in one sentence.
package struct KeyUnavailableError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The sentence, with the mend.
  package let description: String

  /// Makes an error from its sentence.
  package init(_ description: String) {
    self.description = description
  }
}

/// How the host gets at its master key.
package struct KeyAccess: Sendable {
  /// Gets what opens the key; it may take a person's time.
  package typealias Obtain = @Sendable () async -> Result<SharedSecret, KeyUnavailableError>

  /// Where it is kept.
  package let storage: KeyStorage
  /// Gets it; nil where nothing has to be got, or where only a person can bring it.
  package let obtain: Obtain?
  /// What a guess of a new passphrase costs.
  package let cost: PassphraseDerivation.Cost

  /// Names a place and the way there.
  package init(
    _ storage: KeyStorage, cost: PassphraseDerivation.Cost = .standard, obtain: Obtain? = nil
  ) {
    self.storage = storage
    self.obtain = obtain
    self.cost = cost
  }

  /// In the key file itself.
  package static let file = KeyAccess(.file)
}
