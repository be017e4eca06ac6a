package import LoopbackHTTP

/// What a fault does to a request.
package struct FaultEffect: Sendable {
  /// The status code to answer with instead, nil for the real answer.
  package var status: Int?

  /// Header fields added to the answer.
  package var headers: [LoopbackRequest.Field] = []

  /// The body to answer with instead, with `status` or alone.
  package var body: [UInt8]?

  /// How long the answer is held back.
  package var delay: Duration?

  /// Whether the connection is closed without an answer and without doing anything.
  package var drops = false

  /// Whether the request is carried out and only its answer is lost.
  package var losesAnswer = false

  /// Makes an effect that changes nothing.
  package init() {}

  /// Answers with a status code.
  package static func status(_ status: Int) -> FaultEffect {
    var effect = FaultEffect()
    effect.status = status
    return effect
  }

  /// Answers as always, with another date: as a provider whose clock is off (RFC 9110 6.6.1).
  package static func date(_ text: String) -> FaultEffect {
    var effect = FaultEffect()
    effect.headers = [.init(name: "Date", value: text)]
    return effect
  }

  /// Closes the connection before anything is done.
  package static var drop: FaultEffect {
    var effect = FaultEffect()
    effect.drops = true
    return effect
  }

  /// Carries the request out, then closes the connection.
  package static var loseAnswer: FaultEffect {
    var effect = FaultEffect()
    effect.losesAnswer = true
    return effect
  }
}

/// One line of a fault script: where, when and what.
package struct FaultRule: Sendable {
  /// When a rule applies.
  package enum Occasion: Sendable, Equatable {
    /// At requests of these numbers, counted for each endpoint from 1 since the script was set.
    case requests(ClosedRange<Int>)

    /// From a time since the script was set, for a time, once or at every period.
    case time(from: Duration, lasting: Duration, every: Duration?)

    /// At every request.
    case always
  }

  /// The endpoint, nil for each of them.
  package var endpoint: ProviderEndpoint?

  /// When.
  package var occasion: Occasion

  /// What.
  package var effect: FaultEffect

  /// Makes a rule.
  package init(_ endpoint: ProviderEndpoint?, _ occasion: Occasion, _ effect: FaultEffect) {
    self.endpoint = endpoint
    self.occasion = occasion
    self.effect = effect
  }

  /// Returns whether the rule applies to a request.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint asked.
  ///   - number: The number of the request at that endpoint, from 1.
  ///   - elapsed: The time since the script was set.
  /// - Returns: Whether it applies.
  func applies(to endpoint: ProviderEndpoint, number: Int, elapsed: Duration) -> Bool {
    guard self.endpoint == nil || self.endpoint == endpoint else { return false }
    switch occasion {
    case .always:
      return true
    case .requests(let numbers):
      return numbers.contains(number)
    case .time(let start, let length, let period):
      guard elapsed >= start else { return false }
      guard let period, period > .zero else { return elapsed < start + length }
      var offset = elapsed - start
      offset -= period * Int((offset / period).rounded(.down))
      return offset < length
    }
  }
}

/// The faults in force, with the count of requests since they were set; the first rule wins.
package struct FaultScript: Sendable {
  private let rules: [FaultRule]
  private var numbers: [ProviderEndpoint: Int] = [:]

  /// Makes a script.
  package init(_ rules: [FaultRule] = []) {
    self.rules = rules
  }

  /// Counts a request and returns what is done to it.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint asked.
  ///   - elapsed: The time since the script was set.
  /// - Returns: The effect, nil for none.
  package mutating func effect(at endpoint: ProviderEndpoint, elapsed: Duration) -> FaultEffect? {
    let number = numbers[endpoint, default: 0] + 1
    numbers[endpoint] = number
    return rules.first { $0.applies(to: endpoint, number: number, elapsed: elapsed) }?.effect
  }
}
