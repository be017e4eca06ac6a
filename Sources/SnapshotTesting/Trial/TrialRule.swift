/// What a widget is judged by.
package enum TrialRule: String, Sendable, Hashable, CaseIterable {
  /// No token is shown after its end.
  case token
  /// Something is shown at any time.
  case blank
  /// What a person has to be told is told soon.
  case visible
  /// What the scenario or the command line expects is shown.
  case expected
  /// The processor is left alone.
  case busy
  /// Nobody connects to the issuer.
  case issuer
  /// The widget lives as long as the scenario.
  case alive
  /// The widget ends when it is asked to.
  case ends

  /// What it demands, a few words.
  package func demand(_ limits: TrialLimits) -> String {
    switch self {
    case .token: "no token is shown after its end"
    case .blank: "nothing is blank for longer than \(brief(limits.blank))"
    case .visible: "a new condition shows within \(brief(limits.within))"
    case .expected: "what is expected is shown"
    case .busy: "at most \(limits.processor)% of one processor is used"
    case .issuer: "nothing is asked of the issuer"
    case .alive: "the widget lives to the end"
    case .ends: "the widget ends within \(brief(limits.ending)) after SIGTERM"
    }
  }
}

/// How much is allowed; times are real, however fast the scenario is played.
package struct TrialLimits: Sendable, Hashable {
  /// Until when a new condition has to show.
  package var within: Duration
  /// How long nothing may be shown.
  package var blank: Duration
  /// The share of one processor, in percent.
  package var processor: Int
  /// How long the end after `SIGTERM` may take.
  package var ending: Duration
  /// The rules that do not apply.
  package var without: Set<TrialRule>

  /// Makes limits.
  package init(
    within: Duration = .seconds(2), blank: Duration = .seconds(2), processor: Int = 25,
    ending: Duration = .seconds(2), without: Set<TrialRule> = []
  ) {
    self.within = within
    self.blank = blank
    self.processor = processor
    self.ending = ending
    self.without = without
  }
}

/// What became of one rule.
package struct TrialVerdict: Sendable, Hashable {
  /// In what way a rule was broken.
  package struct Breach: Sendable, Hashable {
    /// When, in the scenario's own time.
    package let at: Duration
    /// The last step before.
    package let step: Scenario.Step?
    /// What the widget did.
    package let seen: String
    /// What a correct one does.
    package let expected: String
    /// What its author does next.
    package let next: String
  }

  /// The rule.
  package let rule: TrialRule
  /// The breach; nil when the rule was kept.
  package let breach: Breach?
}
