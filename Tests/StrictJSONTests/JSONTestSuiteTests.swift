import StrictJSON
import TestSupport
import Testing

/// JSONTestSuite (nst/JSONTestSuite): `y_` must be accepted, `n_` refused, `i_` is our choice.
@Suite("JSONTestSuite", .enabled(if: TestVectors.directory != nil, "needs TOKENVAULT_VECTORS"))
struct JSONTestSuiteTests {
  private static let directory =
    (TestVectors.directory ?? "") + "/JSONTestSuite/test_parsing"

  private static let names =
    TestVectors.directory == nil ? [] : TestVectors.names(in: directory)

  /// Refused on purpose: duplicate names (RFC 8725, 2.4) and NUL in a name.
  private static let deviations: Set = [
    "y_object_duplicated_key.json",
    "y_object_duplicated_key_and_value.json",
    "y_object_escaped_null_in_key.json",
  ]

  /// What is accepted of the cases that RFC 8259 leaves open; all others of them are refused.
  private static let acceptedChoices: Set = [
    "i_number_double_huge_neg_exp.json",
    "i_number_real_underflow.json",
    "i_structure_500_nested_arrays.json",
  ]

  private static func accepts(_ name: String) throws -> Bool {
    let text = try #require(TestVectors.bytes(of: directory + "/" + name))
    do throws(StrictJSONError) {
      _ = try JSONValue(parsing: text, maximumDepth: 512)
      return true
    } catch {
      return false
    }
  }

  @Test func jw12TheSuiteIsWhole() {
    #expect(Self.names.count { $0.hasPrefix("y_") } == 95)
    #expect(Self.names.count { $0.hasPrefix("n_") } == 188)
    #expect(Self.names.count { $0.hasPrefix("i_") } == 35)
  }

  @Test func jw12WhatMustBeAcceptedIsAcceptedButForThreeDeviations() throws {
    let refused = try Self.names.filter { try $0.hasPrefix("y_") && !Self.accepts($0) }
    #expect(Set(refused) == Self.deviations)
  }

  @Test func jw12WhatMustBeRefusedIsRefused() throws {
    let accepted = try Self.names.filter { try $0.hasPrefix("n_") && Self.accepts($0) }
    #expect(accepted == [])
  }

  @Test func jw12WhatIsLeftOpenIsAcceptedAsListed() throws {
    let accepted = try Self.names.filter { try $0.hasPrefix("i_") && Self.accepts($0) }
    #expect(Set(accepted) == Self.acceptedChoices)
  }

  @Test func jw12WhatIsAcceptedSurvivesARoundTrip() throws {
    for name in Self.names where try Self.accepts(name) {
      let text = try #require(TestVectors.bytes(of: Self.directory + "/" + name))
      let value = try JSONValue(parsing: text, maximumDepth: 512)
      #expect(try JSONValue(parsing: value.encoded(), maximumDepth: 512) == value, "\(name)")
    }
  }
}
