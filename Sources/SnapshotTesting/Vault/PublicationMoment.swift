import FileSupport
import SessionModel
import SnapshotFormat

/// What a snapshot says of times, so that its token ends at one moment to the nanosecond.
///
/// The format counts the wall clock in whole seconds. The token's end on the boot clock is the
/// publication's boot time and the seconds from the publication to the end on the wall clock, so a
/// publication that bears a part of a second more or less ends a token at any moment.
struct PublicationMoment: Sendable, Hashable {
  /// When the snapshot says that it was published.
  let published: Instant
  /// When its token ends on the wall clock, rounded up.
  let expiresAt: UnixTime
  /// When its token has ended for everybody, on the boot clock.
  let endsForAll: Duration
  /// The present second of the wall clock that the host had.
  let wall: UnixTime

  /// Derives the times.
  ///
  /// - Parameters:
  ///   - now: both clocks.
  ///   - boot: the boot that the snapshot names.
  ///   - validity: how long the token is good from now; negative when it has ended.
  ///   - skew: how far the wall clock was set since the host read it.
  init(
    now: SimulatedClocks.Reading, boot: BootIdentifier, validity: Duration, skew: Duration = .zero
  ) {
    let hostWall = now.wall - skew
    wall = UnixTime(rawValue: hostWall.components.seconds)
    let published = hostWall.secondsRoundedUp
    let end = (hostWall + validity).secondsRoundedUp
    expiresAt = UnixTime(rawValue: end)
    let bootTime = max(now.boot + validity - .seconds(end - published), .zero)
    self.published = Instant(
      wall: UnixTime(rawValue: published), boot: BootTime(rawValue: nanoseconds(bootTime)),
      bootIdentifier: boot)
    // Who goes by the wall clock alone is right until then, unless somebody has set it.
    let rest = skew == .zero ? Duration.seconds(end) - (hostWall + validity) : .zero
    endsForAll = now.boot + validity + rest
  }

  /// A time by which something will have happened, on both clocks.
  func deadline(after wait: Duration, boot: Duration) -> PublicationDeadline {
    PublicationDeadline(
      wall: wall + wait + .seconds(1), boot: BootTime(rawValue: nanoseconds(boot + wait)))
  }
}
