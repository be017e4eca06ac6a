/// The time that is left, as a bar shows it: in steps, so that it is not written anew each second.
///
/// `3d`, `11h`, `1h59m`, `42m`, then `<1m`, or each second where seconds are wanted.
struct RemainingTime {
  private let duration: Duration
  private let showsSeconds: Bool

  /// Takes a time.
  ///
  /// - Parameters:
  ///   - duration: the time that is left.
  ///   - showsSeconds: whether the last minute is shown in seconds.
  init(_ duration: Duration, showsSeconds: Bool) {
    self.duration = duration
    self.showsSeconds = showsSeconds
  }

  /// The text, never more than is left; empty when nothing is.
  var text: String {
    let seconds = duration.components.seconds
    guard duration > .zero else { return "" }
    guard let step = step(for: seconds) else { return "<1m" }
    let hours = seconds / 3600
    let minutes = seconds / 60 % 60
    return switch step {
    case 86_400: "\(seconds / 86_400)d"
    case 3600: "\(hours)h"
    case 60: hours == 0 ? "\(minutes)m" : minutes == 0 ? "\(hours)h" : "\(hours)h\(minutes)m"
    default: seconds == 0 ? "<1s" : "\(seconds)s"
    }
  }

  /// How long the text stays right; nil when only the end, which the reader tells of, changes it.
  var changesAfter: Duration? {
    guard duration > .zero, let step = step(for: duration.components.seconds) else { return nil }
    let whole = duration.components.seconds / step * step
    // A millisecond on, or the clock would be read on the edge.
    return whole == 0 ? nil : duration - .seconds(whole) + .milliseconds(1)
  }

  private func step(for seconds: Int64) -> Int64? {
    switch seconds {
    case 172_800...: 86_400
    case 36_000...: 3600
    case 60...: 60
    default: showsSeconds ? 1 : nil
    }
  }
}
