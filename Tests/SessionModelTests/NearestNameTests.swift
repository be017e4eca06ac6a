import SessionModel
import Testing

@Suite struct NearestNameTests {
  private static let keys = ["issuer", "clientId", "scopes", "flow", "redirect", "account"]

  @Test(arguments: [
    ("isuer", "issuer"), ("client_id", "clientId"), ("clientID", "clientId"), ("scope", "scopes"),
    ("folw", "flow"), ("Redirect", "redirect"), ("acount", "account"),
  ])
  func namesWhatWasMeant(written: String, meant: String) {
    #expect(NearestName.of(written, in: Self.keys) == meant)
  }

  @Test(arguments: ["", "x", "colour", "isr", String(repeating: "a", count: 1000)])
  func namesNothingFarAway(written: String) {
    #expect(NearestName.of(written, in: Self.keys) == nil)
  }

  @Test(arguments: [
    ("", "", 0), ("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("kitten", "sitting", 3),
    ("ca", "abc", 3),
  ])
  func countsEditsAndSwaps(left: String, right: String, distance: Int) {
    #expect(NearestName.distance(Array(left.utf8), Array(right.utf8)) == distance)
    #expect(NearestName.distance(Array(right.utf8), Array(left.utf8)) == distance)
  }
}
