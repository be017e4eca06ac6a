import GrantModel
import SessionModel

// A person is told in time that the login itself ends, once for each end.
extension NamespaceSession {
  /// The end of the login, where one is to be expected.
  var expectedEnd: LoginEnd.Expected? {
    guard record.refusal == nil, let grant = record.grant else { return nil }
    return record.loginEnd?.expected(of: grant)
  }

  /// Returns how long it is until the person is to be warned; nil where there is nothing to warn of.
  func timeUntilEndWarning(now: Instant) -> Duration? {
    // Of an end that has passed, the next renewal tells.
    guard let end = expectedEnd?.at, now.since(end) < .zero, let grant = record.grant,
      let time = record.loginEnd?.warningTime(of: grant)
    else { return nil }
    return .zero - now.since(time)
  }

  /// Warns of the end of the login, in the log and by the person's command.
  func warnOfEnd(now: Instant) {
    guard let end = expectedEnd else { return }
    var warned = record
    warned.loginEnd?.warnedOf = end.at
    // In memory in any case, so that a failing disk does not have it said again and again.
    commitOrKeep(warned)
    let rest = DurationText.format(max(.zero - now.since(end.at), .seconds(60)), parts: 2)
    let what =
      end.isLearnt
      ? "the last logins have ended at the age that this one reaches in \(rest)"
      : "the provider ends this login in \(rest), however often it is renewed"
    let text = "\(what); sign in again before: tokenvault sign-in \(setup.namespace)"
    log(.warning, "\(setup.namespace): \(text)")
    setup.onError?(text)
  }
}
