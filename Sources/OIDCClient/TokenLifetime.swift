package import StrictJSON

/// Reads `expires_in` (RFC 6749 5.1) as providers send it.
package enum TokenLifetime {
  /// The longest lifetime believed of a token that can be renewed: a provider's slip must not
  /// keep a session from ever being renewed.
  package static let maximum = Duration.seconds(30 * 86_400)

  /// Reads an integer, a real or a numeric text.
  ///
  /// - Parameters:
  ///   - value: the member, nil if absent.
  ///   - isRenewable: whether the token can be renewed and its lifetime hence be cut.
  /// - Returns: the lifetime, zero for one that is over; nil if the provider does not say.
  package static func read(_ value: JSONValue?, isRenewable: Bool) -> Duration? {
    guard let seconds = seconds(value) else { return nil }
    let lifetime = Duration.seconds(max(0, seconds))
    return isRenewable ? min(lifetime, maximum) : lifetime
  }

  private static func seconds(_ value: JSONValue?) -> Int64? {
    if let integer = value?.integer { return bounded(Double(integer)) }
    if let number = value?.number { return bounded(number) }
    guard let text = value?.string, let number = Int64(text) else { return nil }
    return bounded(Double(number))
  }

  /// A century is more than any token lives and less than overflows a time.
  private static func bounded(_ number: Double) -> Int64 {
    Int64(min(max(number, -1), 3_155_760_000).rounded(.down))
  }
}
