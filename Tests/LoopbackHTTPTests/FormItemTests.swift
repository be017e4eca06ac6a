import LoopbackHTTP
import Testing

@Suite struct FormItemTests {
  @Test(arguments: [
    ("a=1&b=2", [("a", "1"), ("b", "2")]),
    ("a=1&a=2", [("a", "1"), ("a", "2")]),
    ("a=x+y%20z%2B", [("a", "x y z+")]),
    ("a=b=c", [("a", "b=c")]),
    ("a&=b&&", [("a", ""), ("", "b")]),
    ("%C3%A9=%e2%82%ac", [("é", "€")]),
    ("", []),
  ])
  func na08DecodingIsExactAndKeepsDuplicates(text: String, expected: [(String, String)]) {
    let items = FormItem.decode(text.utf8)
    #expect(items == expected.map { FormItem(name: $0.0, value: $0.1) })
  }

  @Test(arguments: ["a=%00", "%00=a", "a=%", "a=%4", "a=%zz", "a=%C3", "a=%ED%A0%80", "a=%FF"])
  func na08EncodedNulAndBrokenEscapesAreRefused(text: String) {
    #expect(FormItem.decode(text.utf8) == nil)
  }

  @Test func decodingUndoesEncoding() {
    let items = [
      FormItem(name: "state", value: "a b+c&d=e%f/é"), FormItem(name: "empty", value: ""),
    ]
    #expect(FormItem.encode(items) == "state=a%20b%2Bc%26d%3De%25f%2F%C3%A9&empty=")
    #expect(FormItem.decode(FormItem.encode(items).utf8) == items)
  }

  @Test func valuesAreFoundByNameInOrder() {
    let items = FormItem.decode("a=1&b=2&a=3".utf8) ?? []
    #expect(items.values(named: "a") == ["1", "3"])
    #expect(items.values(named: "c").isEmpty)
  }
}
