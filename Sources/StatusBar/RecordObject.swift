import StrictJSON

extension JSONObject {
  /// The object as one line of ASCII: what is beyond is written as `\u` and four digits.
  ///
  /// A reader that takes the bytes in pieces then never sees half a character.
  var asciiLine: String {
    var result = ""
    for unit in String(decoding: encoded(), as: UTF8.self).utf16 {
      if unit < 0x80 {
        result.unicodeScalars.append(Unicode.Scalar(UInt8(unit)))
      } else {
        let digits = String(unit, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      }
    }
    return result
  }
}
