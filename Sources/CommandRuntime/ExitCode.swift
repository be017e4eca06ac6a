/// How a program of the project ends: stable numbers that scripts may rely on (sysexits.h and ours).
package enum ExitCode: Int32, Sendable, CaseIterable {
  /// Done.
  case done = 0
  /// `simulate run`: the widget broke a rule.
  case ruleBroken = 1
  /// The command line was wrong.
  case usage = 64
  /// A snapshot is corrupt, or written in a format or version that this program cannot read.
  case corrupt = 65
  /// There is no session, and no sign that there ever was one.
  case absent = 66
  /// The host cannot be reached.
  case hostUnreachable = 69
  /// Something could not be stored or read: the disk, not the rights.
  case storage = 73
  /// Not now, but later without anybody's help.
  case temporary = 75
  /// A right is missing, or the key is unavailable or locked.
  case permission = 77
  /// The configuration is wrong.
  case configuration = 78
  /// The access token is expired, or lives for less than what was asked for.
  case expired = 80
  /// The person signed out.
  case signedOut = 81
  /// The person has to sign in again.
  case reauthenticationRequired = 82
  /// `run` itself failed before the command started.
  case runFailed = 125
  /// The command of `run` exists and cannot be executed.
  case notExecutable = 126
  /// The command of `run` was not found.
  case notFound = 127

  /// What the number says, as help and manual pages print it.
  package var meaning: String {
    switch self {
    case .done: "done"
    case .ruleBroken: "simulate run: the widget broke a rule"
    case .usage: "wrong usage"
    case .corrupt: "the snapshot is corrupt or its format is not supported"
    case .absent: "no session"
    case .hostUnreachable: "the host cannot be reached"
    case .storage: "storage failed"
    case .temporary: "temporary: the host says offline, waiting or renewing; or a revocation pends"
    case .permission: "no permission, or the key is unavailable or locked"
    case .configuration: "the configuration is wrong"
    case .expired: "the access token is expired or lives for less than asked"
    case .signedOut: "signed out"
    case .reauthenticationRequired: "sign in again"
    case .runFailed: "run failed before its command started"
    case .notExecutable: "the command of run cannot be executed"
    case .notFound: "the command of run was not found"
    }
  }
}
