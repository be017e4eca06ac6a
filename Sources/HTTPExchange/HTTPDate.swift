import CCurl

/// Dates in header fields.
package enum HTTPDate {
  /// Reads a date in any of the forms of RFC 9110, 5.6.7 (`curl_getdate(3)`).
  ///
  /// - Returns: Unix seconds, or nil if the text is no date.
  package static func unixSeconds(_ text: String) -> Int64? {
    guard text.utf8.count <= 64, text.utf8.contains(UInt8(ascii: ":")) else { return nil }
    let seconds = unsafe curl_getdate(text, nil)
    return seconds < 0 ? nil : Int64(seconds)
  }
}
