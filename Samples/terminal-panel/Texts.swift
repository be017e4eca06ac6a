import Glibc

/// A name as it may be sent to a terminal: an account's name comes from elsewhere.
func plain(_ name: String) -> String {
  var result = ""
  result.unicodeScalars.append(
    contentsOf: name.unicodeScalars.filter {
      ![.control, .format, .lineSeparator, .surrogate].contains($0.properties.generalCategory)
    })
  return result
}

/// A text as far as there is room for it.
func cut(_ text: String, to room: Int) -> String {
  text.count > room ? String(text.prefix(room - 1)) + "…" : text
}

func span(_ duration: Duration) -> String {
  let seconds = duration.components.seconds
  if seconds < 60 { return "\(seconds)s" }
  return seconds < 3600
    ? "\(seconds / 60)m \(seconds % 60)s" : "\(seconds / 3600)h \(seconds % 3600 / 60)m"
}

func clockTime() -> String {
  var now = time(nil)
  var parts = unsafe tm()
  unsafe localtime_r(&now, &parts)
  return unsafe [parts.tm_hour, parts.tm_min, parts.tm_sec]
    .map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
}
