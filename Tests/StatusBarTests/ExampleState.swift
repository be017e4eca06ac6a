import SessionModel
import StatusBar

/// States and what goes with them, as tests need them.
enum ExampleState {
  /// The path of a program.
  static let program = "/usr/local/bin/tokenvault"

  /// The command lines of the default namespace.
  static let actions = BarActions(program: program)

  /// A state of an account whose token is good for a while.
  static func valid(
    account: String? = "ada@example.org", for rest: Duration = .seconds(2520),
    host: HostCondition = .reported(.ok), reason: String? = nil, nextStep: String? = nil
  ) -> BarState {
    BarState(
      namespace: "primary", account: account, session: .valid, host: host, expiresIn: rest,
      lifetime: .seconds(3600), reason: reason, nextStep: nextStep)
  }

  /// A session that a person has to sign in again for.
  static let over = BarState(
    namespace: "primary", account: "ada@example.org",
    session: .reauthenticationRequired(.invalidGrant), host: .reported(.ok),
    reason: "primary has to sign in again: the provider has ended the session",
    nextStep: "run: tokenvault sign-in primary")

  /// One state of each condition, in their order.
  static let all: [BarState] = [
    state(.valid), state(.expiring), state(.expired), state(.expired, .reported(.renewing)),
    state(.valid, .reported(.offline)),
    state(.valid, .reported(.waiting(until: UnixTime(rawValue: 1)))),
    state(.valid, .reported(.storageFailed)), state(.valid, .reported(.locked)),
    state(.valid, .stale), state(.signedOut), state(.reauthenticationRequired(.invalidGrant)),
    state(.absent), state(.corrupt),
  ]

  /// A state of two axes.
  static func state(
    _ session: SessionState, _ host: HostCondition = .reported(.ok)
  ) -> BarState {
    BarState(namespace: "primary", account: "ada", session: session, host: host)
  }
}
