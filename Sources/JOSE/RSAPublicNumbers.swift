/// Modulus and public exponent of an RSA key that is fit to verify with.
struct RSAPublicNumbers {
  /// The modulus, big-endian, without leading zeros.
  let modulus: [UInt8]
  /// The public exponent, big-endian, without leading zeros.
  let exponent: [UInt8]

  /// Takes the numbers, or answers nil where the key is weak, malformed or costly.
  ///
  /// - Parameters:
  ///   - modulus: 2048 to 8192 bits, odd, and not of the ROCA kind.
  ///   - exponent: odd, 65537 at least (FIPS 186-5, A.1.1) and 64 bits at most. Smaller ones turn
  ///     slips in padding checks into forgeries, larger ones serve nobody but an attacker.
  init?(modulus: [UInt8], exponent: [UInt8]) {
    // Some providers write a sign byte before the modulus.
    self.modulus = Array(modulus.drop { $0 == 0 })
    self.exponent = Array(exponent.drop { $0 == 0 })
    guard let top = self.modulus.first, let last = self.modulus.last, last & 1 == 1 else {
      return nil
    }
    let bits = self.modulus.count * 8 - top.leadingZeroBitCount
    guard (2048...8192).contains(bits), self.exponent.count <= 8 else { return nil }
    let value = self.exponent.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
    guard value >= 65537, value & 1 == 1, !Self.isROCA(self.modulus) else { return nil }
  }

  /// Whether a modulus bears the fingerprint of CVE-2017-15361 (ROCA), whose keys can be factored.
  ///
  /// Such a modulus is a power of 65537 modulo each of these primes; one of another making is so
  /// by chance once in 2^27.
  private static func isROCA(_ modulus: [UInt8]) -> Bool {
    let primes: [UInt32] = [
      11, 13, 17, 19, 37, 53, 61, 71, 73, 79, 97, 103, 107, 109, 127, 151, 157,
    ]
    return primes.allSatisfy { prime in
      let remainder = modulus.reduce(UInt32(0)) { ($0 << 8 | UInt32($1)) % prime }
      var power: UInt32 = 1
      repeat {
        if power == remainder { return true }
        power = power * 65537 % prime
      } while power != 1
      return false
    }
  }
}
