import LoopbackHTTP

/// The input is a form or a query.
enum FormInput {
  static func digest(_ input: [UInt8]) throws(FuzzFinding) {
    guard let items = FormItem.decode(input) else { return }
    try demand(
      !items.contains { ($0.name + $0.value).utf8.contains(0) }, "nothing decodes to a NUL byte")
    let text = FormItem.encode(items)
    // What is empty altogether is left out when it is read.
    let written = items.filter { !($0.name.isEmpty && $0.value.isEmpty) }
    let again = FormItem.decode(text.utf8)?.filter { !($0.name.isEmpty && $0.value.isEmpty) }
    try demand(again == written, "what is written says the same")
  }
}
