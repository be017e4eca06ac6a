package import SecretMemory

/// Where the host keeps what opens its store.
package enum KeyStorage: UInt8, Sendable, Hashable, CaseIterable {
  /// In the key file itself.
  case file = 0
  /// With a program that prints it, such as a keyring's.
  case command = 1
  /// With the service manager, as a credential.
  case credential = 2
  /// In a person's head.
  case passphrase = 3

  /// The word of the configuration.
  package var word: String {
    switch self {
    case .file: "file"
    case .command: "command"
    case .credential: "credential"
    case .passphrase: "passphrase"
    }
  }

  /// How far what is stored is protected, in one line.
  package var protection: String {
    switch self {
    case .file:
      "by a key file of this machine: a copy of the state opens nowhere, but whoever can read both"
        + " the files and the machine id can open it"
    case .command:
      "by a key that keyCommand gives: files alone open nothing, but programs of this user can ask"
        + " for the key as the host does"
    case .credential:
      "by a key that the service manager gives: files alone open nothing"
    case .passphrase:
      "by a passphrase: files alone open nothing, and nothing is renewed before it was given"
    }
  }
}

/// How a new master key is kept.
package struct KeyProtection: Sendable {
  /// Where.
  package let storage: KeyStorage
  /// What opens it: the key, or the passphrase; nil for a key file.
  package let secret: SharedSecret?
  /// What a guess of a passphrase costs.
  package let cost: PassphraseDerivation.Cost

  /// Names a place and what is kept there.
  package init(
    _ storage: KeyStorage, secret: SharedSecret? = nil,
    cost: PassphraseDerivation.Cost = .standard
  ) {
    self.storage = storage
    self.secret = secret
    self.cost = cost
  }

  /// In the key file itself.
  package static let file = KeyProtection(.file)
}
