import SecretMemory

/// How a secret may stand in files and memory.
enum SecretSpelling {
  /// Raw, and base 64 at each of the three offsets, without the ends that depend on the neighbours.
  static func all(of secret: String) -> [[UInt8]] {
    let raw = Array(secret.utf8)
    return [raw]
      + (0..<3).map { offset in
        let encoded = Base64URL.encode([UInt8](repeating: 0, count: offset) + raw)
        return Array(encoded.utf8.dropFirst(4).dropLast(4))
      }
  }
}
