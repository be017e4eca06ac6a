import SessionModel
import Testing
import VaultReporting

/// The expected texts are those of `date --utc --date @N +%Y-%m-%dT%H:%M:%SZ`.
@Suite struct UnixTimeTextTests {
  @Test(arguments: [
    (0, "1970-01-01T00:00:00Z"), (-1, "1969-12-31T23:59:59Z"),
    (951_782_399, "2000-02-28T23:59:59Z"),
    (951_782_400, "2000-02-29T00:00:00Z"), (951_868_800, "2000-03-01T00:00:00Z"),
    (4_107_542_399, "2100-02-28T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
    (1_735_689_599, "2024-12-31T23:59:59Z"), (1_900_000_000, "2030-03-17T17:46:40Z"),
    (253_402_300_799, "9999-12-31T23:59:59Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
    (-62_162_035_201, "0000-02-29T23:59:59Z"),
  ])
  func aTimeIsWrittenInUTC(seconds: Int64, text: String) {
    #expect(UnixTime(rawValue: seconds).rfc3339 == text)
  }

  @Test(arguments: [253_402_300_800, -62_167_219_201, .max, .min])
  func aYearOfMoreThanFourDigitsHasNoText(seconds: Int64) {
    #expect(UnixTime(rawValue: seconds).rfc3339 == nil)
  }
}
