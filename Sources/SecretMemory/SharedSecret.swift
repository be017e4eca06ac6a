/// A secret that several owners hold together; it is wiped when the last one lets it go.
package final class SharedSecret: Sendable {
  /// The secret.
  package let bytes: SecretBytes

  /// Takes a secret over.
  package init(_ bytes: consuming SecretBytes) {
    self.bytes = bytes
  }
}
