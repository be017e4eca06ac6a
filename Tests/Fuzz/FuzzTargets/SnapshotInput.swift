import SecretMemory
import SessionModel
import SnapshotFormat
import SnapshotStore

/// The input is a whole snapshot file.
enum SnapshotInput {
  static func digest(_ input: [UInt8]) throws(FuzzFinding) {
    guard let outcome = SampleKey.open(input) else { return }
    try demand(outcome.header.generation >= 1, "a snapshot has a generation")
    // Under the seal there is nothing that a fuzzer could have changed and have let through.
    try ResealedInput.check(outcome)
  }
}

/// The key under which the inputs are sealed, which is the golden vectors' too.
enum SampleKey {
  static let group = make()
  static let bytes = [UInt8](repeating: 0x41, count: AuthenticatedCipher.keyLength)

  /// Reads a file as a reader does that finds it in the directory of the default group and `primary`.
  static func open(_ file: [UInt8]) -> Snapshot? {
    try? UnverifiedSnapshot(parsing: file).open(
      with: group, namespace: .primary, accessGroup: .default)
  }

  /// Seals under the sample key.
  static func seal(_ plaintext: [UInt8], associatedData: [UInt8], nonce: [UInt8]) -> [UInt8] {
    do {
      return try AuthenticatedCipher.seal(
        plaintext, associatedData: associatedData, nonce: nonce, key: group.secret)
    } catch {
      fatalError("\(error)")
    }
  }

  private static func make() -> GroupKey {
    do {
      return try GroupKey(try SecretBytes(copying: bytes))
    } catch {
      fatalError("\(error)")
    }
  }
}
