/// A person who can sign in at the provider.
package struct ProviderAccount: Sendable, Equatable {
  /// The subject identifier.
  package var subject: String

  /// The name shown on the button and in the claims.
  package var name: String

  /// The address in the claims.
  package var email: String

  /// Makes an account.
  package init(subject: String, name: String, email: String) {
    self.subject = subject
    self.name = name
    self.email = email
  }

  /// The account of a provider that is told of no other.
  package static let alice = ProviderAccount(
    subject: "alice-0001", name: "Alice", email: "alice@example.com")
}
