/// How much of something a test does: a sample, or the whole of it by `make test-whole`.
package enum Effort {
  /// Returns a number of repetitions.
  ///
  /// - Parameters:
  ///   - sample: how many are worth a test run's time.
  ///   - whole: how many the case asks for; done where `TOKENVAULT_WHOLE` is set.
  /// - Returns: one of both.
  package static func count<Number: BinaryInteger>(_ sample: Number, whole: Number) -> Number {
    Environment.value("TOKENVAULT_WHOLE") == nil ? sample : whole
  }
}
