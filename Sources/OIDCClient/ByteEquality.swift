/// Compares identifiers byte by byte (RFC 3986, 6.2.1), which `==` of Swift does not: it takes
/// canonically equivalent texts for equal, and an issuer must not be spelled in two ways.
func sameBytes(_ one: String, _ other: String) -> Bool {
  one.utf8.elementsEqual(other.utf8)
}

/// Compares optional identifiers byte by byte; nil equals nil only.
func sameBytes(_ one: String?, _ other: String?) -> Bool {
  switch (one, other) {
  case (nil, nil): true
  case (let one?, let other?): one.utf8.elementsEqual(other.utf8)
  default: false
  }
}

/// Whether a list holds a text, byte by byte.
func containsBytes(_ list: [String], _ text: String) -> Bool {
  list.contains { $0.utf8.elementsEqual(text.utf8) }
}
