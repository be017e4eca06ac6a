import SessionModel

/// How the host keeps its master key.
package struct KeyConfiguration: Sendable, Equatable {
  /// Where what opens the key is.
  package enum Storage: String, Sendable, CaseIterable {
    /// In the key file itself.
    case file
    /// With a program that prints it.
    case command
    /// With the service manager (`$CREDENTIALS_DIRECTORY`).
    case credential
    /// In a person's head.
    case passphrase
  }

  /// The name of the credential where the file names none.
  package static let usualCredential = "tokenvault-key"

  /// Where what opens the key is; another place is moved to with `tokenvault-host rekey`.
  package var storage: Storage = .file
  /// The program that prints the key.
  package var command: [String]?
  /// The name of the credential.
  package var credential = usualCredential
  /// A program that asks the person for the passphrase and prints it.
  package var passphraseCommand: [String]?
  /// Whether the host locks and unlocks with the person's session at the machine.
  package var locksWithSession = false
}

extension KeyConfiguration {
  /// Reads the keys of the top level; what is wrong is reported and left out.
  init(reading table: inout TableReader) {
    let chosen = table.choice("keyStorage", Storage.self)
    let expected = "a list of strings, a program and its arguments"
    command = table.strings(
      "keyCommand", expected: expected,
      example: "[\"secret-tool\", \"lookup\", \"application\", \"tokenvault\"]")?.map(\.text)
    let named = table.string("keyCredential", example: Self.usualCredential)
    passphraseCommand = table.strings(
      "passphraseCommand", expected: expected, example: "[\"zenity\", \"--password\"]")?
      .map(\.text)
    if let named {
      // systemd.exec(5): a file name, and no path.
      if named.text.utf8.contains(UInt8(ascii: "/")) || named.text.hasPrefix(".") {
        table.findings.report(
          named.at,
          "\"keyCredential\" \(table.place) is \(PrintableText.quoted(named.text)), which is no"
            + " credential's name;"
            + " write it as in LoadCredentialEncrypted=\(Self.usualCredential)")
      } else {
        credential = named.text
      }
    }
    storage = chosen?.value ?? (command != nil ? .command : named != nil ? .credential : .file)
    if storage == .command, command == nil, let chosen {
      table.findings.report(
        chosen.at,
        "\"keyStorage\" \(table.place) is \"command\", and no keyCommand is named; for example"
          + " keyCommand = [\"secret-tool\", \"lookup\", \"application\", \"tokenvault\"]")
    }
    readLock(&table)
  }

  private mutating func readLock(_ table: inout TableReader) {
    guard let lock = table.boolean("lockWithSession") else { return }
    locksWithSession = lock.value
    guard lock.value, storage == .file else { return }
    // It would keep nothing from anybody, and nothing would be renewed meanwhile.
    table.findings.report(
      lock.at,
      "\"lockWithSession\" \(table.place) is true, and the key is in a file that opens by itself;"
        + " choose another keyStorage, or remove lockWithSession")
  }
}
