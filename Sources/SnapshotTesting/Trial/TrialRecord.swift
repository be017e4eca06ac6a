package import SessionModel

/// What one run of a widget left behind: all times are real, from the beginning of the scenario.
package struct TrialRecord: Sendable {
  /// A step, as it was taken.
  package struct TakenStep: Sendable, Hashable {
    /// When it was taken.
    package let at: Duration
    /// The step.
    package let step: Scenario.Step

    /// Makes a record of a step.
    package init(at: Duration, step: Scenario.Step) {
      self.at = at
      self.step = step
    }
  }

  /// What a correct reader made of the snapshot from some moment on.
  package struct Sight: Sendable, Hashable {
    /// From when.
    package let at: Duration
    /// What a person has to be told.
    package let condition: WidgetCondition
    /// The words for it: `expired, host offline`.
    package let words: String

    /// Makes a sight.
    package init(at: Duration, condition: WidgetCondition, words: String) {
      self.at = at
      self.condition = condition
      self.words = words
    }
  }

  /// A line that the widget printed.
  package struct Line: Sendable, Hashable {
    /// When it was read.
    package let at: Duration
    /// Whether it came from standard error.
    package let isError: Bool
    /// The text without its end and without escape sequences.
    package let text: String

    /// Makes a line.
    package init(at: Duration, isError: Bool = false, text: String) {
      self.at = at
      self.isError = isError
      self.text = text
    }

    /// Whether nothing is to be seen of it.
    package var isBlank: Bool { text.allSatisfy(\.isWhitespace) }
  }

  /// A token, and until when it may be shown.
  package struct Token: Sendable, Hashable {
    /// Its number.
    package let number: Int
    /// What is looked for.
    package let mark: String
    /// When it must not be shown any more, and why; nil while it may be.
    package let end: IssuedToken.Withdrawal?

    /// Makes a token.
    package init(number: Int, mark: String, end: IssuedToken.Withdrawal? = nil) {
      self.number = number
      self.mark = mark
      self.end = end
    }
  }

  /// How the widget ended.
  package struct End: Sendable, Hashable {
    /// When.
    package let at: Duration
    /// With which status or by which signal.
    package let words: String

    /// Makes an end.
    package init(at: Duration, words: String) {
      self.at = at
      self.words = words
    }
  }

  /// The steps that were taken.
  package var steps: [TakenStep] = []
  /// What a correct reader saw, each from its time on.
  package var sights: [Sight] = []
  /// Whether it had shown nothing when the scenario began, for as long as nothing may be shown.
  package var isSilentAtStart = false
  /// What the widget printed; at zero what it had printed before the scenario began.
  package var lines: [Line] = []
  /// What keeping the lines takes, in bytes.
  var outputCost = 0
  /// The tokens that were published.
  package var tokens: [Token] = []
  /// When somebody connected to the issuer.
  package var connections: [Duration] = []
  /// How much processor time the widget and its children took until the end of the scenario.
  package var processorTime: Duration = .zero
  /// When the scenario was over.
  package var length: Duration = .zero
  /// The widget's end before that of the scenario, if it came.
  package var earlyEnd: End?
  /// How long it took to end after `SIGTERM`; nil when it did not within the limit.
  package var timeToEnd: Duration?

  /// Makes a record of nothing.
  package init() {}

  /// What the widget can be judged by: up to its end.
  package var judged: Duration { min(length, earlyEnd?.at ?? length) }
}

/// What a person has to be told of a session, as far as no widget may leave it out.
package enum WidgetCondition: String, Sendable, Hashable {
  /// A token may be used.
  case usable
  /// Less than the margin is left: a widget may take the token for good, and for ended.
  case fading
  /// The token has ended.
  case ended
  /// Nobody is signed in.
  case nobody
  /// A person has to sign in again.
  case signInAgain = "sign in again"
  /// The session cannot be read.
  case unreadable

  /// The condition that a session's state is.
  package init(_ state: SessionState) {
    self =
      switch state {
      case .valid, .expiryUnknown: .usable
      case .expiring: .fading
      case .expired: .ended
      case .signedOut, .absent: .nobody
      case .reauthenticationRequired: .signInAgain
      case .unsupportedRecord, .keyUnavailable, .corrupt, .unsupportedVersion, .permission,
        .storage:
        .unreadable
      }
  }
}
