/// How long before its end an access token counts as used up.
public struct ExpiryMargin: Sendable, Hashable {
  /// The span before the expiry within which the token is not handed out any more.
  public let duration: Duration

  /// Creates a margin; a negative one counts as zero.
  public init(_ duration: Duration) {
    self.duration = max(duration, .zero)
  }

  /// Returns the margin used when the caller names none: 30 s, or an eighth of a shorter lifetime.
  ///
  /// - Parameter lifetime: the access token's whole lifetime; nil when it is not known.
  /// - Returns: the margin.
  public static func standard(lifetime: Duration?) -> ExpiryMargin {
    // Only what is short is divided, which for a Duration is dear.
    guard let lifetime, lifetime < .seconds(8 * 30) else { return ExpiryMargin(.seconds(30)) }
    return ExpiryMargin(lifetime / 8)
  }
}
