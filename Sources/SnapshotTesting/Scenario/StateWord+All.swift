import SessionModel

extension StateWord {
  /// The words of all states, in the order in which they are listed.
  package static let all: [StateWord] = usable + silent + ended + unreadable + deceiving

  private static let usable: [StateWord] = [
    StateWord(
      "valid", .duration("for"),
      means: "a new token: the account is shown"
    ) { .valid(for: duration($0, .seconds(3600))) },
    StateWord(
      "expiring", .duration("for"),
      means: "below the margin: usable, with an own validity"
    ) { .expiring(for: duration($0, .seconds(20))) },
    StateWord("expiry-unknown", means: "no end is known: usable") { _ in
      .expiryUnknown
    },
    StateWord(
      "account-changed", .duration("for"),
      means: "nothing of the former account stays"
    ) { .accountChanged(for: duration($0, .seconds(3600))) },
  ]

  private static let silent: [StateWord] = [
    StateWord("renewing", means: "the host asks the provider: usable") { _ in .renewing
    },
    StateWord("offline", means: "no provider within reach: usable until the end") { _ in
      .offline
    },
    StateWord(
      "waiting", .duration("for"),
      means: "the host has to wait: usable until the end"
    ) { .waiting(for: duration($0, .seconds(30))) },
    StateWord("storage-failed", means: "the host's disk is full: usable until the end") { _ in
      .storageFailed
    },
    StateWord("locked", means: "the host's key is locked: usable until the end") { _ in
      .locked
    },
    StateWord(
      "stale", .choice("by", SimulatedState.StaleCause.allCases.map(\.rawValue)),
      means: "no host, or late: usable until the end"
    ) { .stale(.init(rawValue: word($0, "")) ?? .hostStopped) },
  ]

  private static let ended: [StateWord] = [
    StateWord("absent", means: "nothing is published: nobody is shown") { _ in .absent },
    StateWord(
      "expired", .duration("since"),
      means: "the token has ended: no token is shown"
    ) { .expired(since: duration($0, .seconds(60))) },
    StateWord("signed-out", means: "the person left: nobody is shown") { _ in .signedOut },
    StateWord(
      "reauthentication-required",
      .choice(
        "because",
        [
          "invalid-grant", "account-changed", "provider-refused", "lost-rotation",
          "no-refresh-token", "stored-session-lost", "rollback-suspected",
        ]), means: "[because REASON]: sign in again, and why"
    ) { .reauthenticationRequired(.init(rawValue: word($0, "invalid-grant"))) },
  ]

  private static let unreadable: [StateWord] = [
    StateWord(
      "corrupt", .bytes("at"),
      means: "one byte is another: unreadable"
    ) { .corrupt(byte: number($0, 100)) },
    StateWord(
      "truncated", .bytes("to"),
      means: "bytes are missing: unreadable"
    ) { .truncated(bytes: number($0, 100)) },
    StateWord("wrong-key", means: "sealed with another key: unreadable") { _ in
      .wrongKey
    },
    StateWord("key-unavailable", means: "the group's key is gone: unreadable") {
      _ in
      .keyUnavailable
    },
    StateWord("future-version", means: "a format to come: update this program") { _ in
      .futureVersion
    },
    StateWord("unknown-record", means: "a kind to come: update this program") { _ in
      .unknownRecord
    },
    StateWord(
      "wrong-mode", .mode("to"),
      means: "others may read it: not trusted"
    ) { .wrongMode(UInt32(truncatingIfNeeded: number($0, 0o644))) },
    StateWord("wrong-owner", means: "another user's (by root): not trusted") {
      _ in
      .wrongOwner
    },
    StateWord("symbolic-link", means: "a link in its place: not followed") { _ in
      .symbolicLink
    },
    StateWord("fifo", means: "a FIFO in its place: nothing hangs") { _ in .fifo },
  ]

  private static let deceiving: [StateWord] = [
    StateWord("rolled-back", means: "put back: who saw the newer stays with it") {
      _ in
      .rolledBack
    },
    StateWord(
      "clock-skew", .direction,
      means: "the clock was set: the end stays where it was"
    ) { .clockSkew(by: duration($0, .seconds(-3600))) },
  ]

  private static func duration(_ argument: Argument?, _ standard: Duration) -> Duration {
    if case .duration(let duration) = argument { duration } else { standard }
  }

  private static func number(_ argument: Argument?, _ standard: Int) -> Int {
    if case .number(let number) = argument { number } else { standard }
  }

  private static func word(_ argument: Argument?, _ standard: String) -> String {
    if case .word(let word) = argument { word } else { standard }
  }
}
