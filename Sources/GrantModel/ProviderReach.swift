/// Whether a provider answers at this moment, and what time it has.
package enum ProviderReach: Sendable, Hashable {
  /// It answered, whatever it said.
  ///
  /// - Parameters:
  ///   - status: the status code (RFC 9110 15).
  ///   - clockLead: how far this machine's clock is ahead of the provider's, negative where it is
  ///     behind, zero where they agree to the second; nil where the provider tells no time.
  case answered(status: Int, clockLead: Duration?)
  /// It did not answer; the text says why, in one sentence.
  case silent(String)
}
