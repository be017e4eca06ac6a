extension Duration {
  /// The duration in whole seconds, rounded up: who waits so long never comes early, and what lives
  /// so long is never promised less.
  package var secondsRoundedUp: Int64 {
    let (seconds, attoseconds) = components
    return attoseconds > 0 ? seconds + 1 : seconds
  }
}
