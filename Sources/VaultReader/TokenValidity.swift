import SessionModel
import SnapshotFormat

/// How long the access token of one snapshot is good, by both clocks.
struct TokenValidity: Sendable, Hashable {
  private let wallEnd: Duration?
  private let bootEnd: Duration?
  /// The span before the end in which the token is not handed out to those who name none.
  let margin: Duration

  /// Derives the validity from a header.
  ///
  /// The boot clock cannot be set, so a wall clock that was set back does not revive a token: the
  /// earlier end wins. In another boot than the publishing one only the wall clock is left.
  /// - Parameters:
  ///   - header: an authentic header.
  ///   - isPresentBoot: whether the snapshot was published in the present boot.
  init(_ header: SnapshotHeader, isPresentBoot: Bool) {
    margin = ExpiryMargin.standard(lifetime: header.accessTokenLifetime).duration
    guard let expiry = header.accessTokenExpiry else {
      wallEnd = nil
      bootEnd = nil
      return
    }
    wallEnd = .seconds(expiry.rawValue)
    bootEnd =
      isPresentBoot
      ? header.published.boot.sinceBoot + expiry.since(header.published.wall) : nil
  }

  /// How long the token is good from now; nil when its end is not known, never more than true.
  func remaining(at now: ClockReading) -> Duration? {
    guard let wallEnd else { return nil }
    let byWall = wallEnd - now.wall
    guard let bootEnd else { return byWall }
    return min(byWall, bootEnd - now.boot)
  }

  /// The state of a session with this token.
  func state(at now: ClockReading) -> SessionState {
    guard let remaining = remaining(at: now) else { return .expiryUnknown }
    if remaining <= .zero { return .expired }
    return remaining < margin ? .expiring : .valid
  }

  /// Why the token is not handed out; nil when it is.
  ///
  /// - Parameters:
  ///   - promise: how long the caller needs it, nil for the margin.
  ///   - now: both clocks.
  /// - Returns: the reason, `expired`, `tooShort` or `expiryUnknown`.
  func refusal(for promise: Duration?, at now: ClockReading) -> AccessTokenError.Reason? {
    guard let remaining = remaining(at: now) else {
      return promise == nil ? nil : .expiryUnknown
    }
    if remaining <= .zero { return .expired }
    let required = promise ?? margin
    return remaining < required ? .tooShort(remaining: remaining, required: required) : nil
  }
}
