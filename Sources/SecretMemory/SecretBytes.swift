import CSodium
import Glibc
import Synchronization

/// A secret of fixed length in guarded memory: kept out of cores, wiped when released, and locked
/// as far as the process may lock memory.
///
/// The C functions are `sodium_malloc` and `sodium_free`. It can't be copied or interpolated.
///
/// It is safe and sendable although it holds a pointer, which the compiler can't see: the memory has
/// this one owner, who alone frees it, and is written only while the secret is being made, so that
/// all later accesses are reads.
@safe
package struct SecretBytes: ~Copyable, @unchecked Sendable {
  private let base: UnsafeMutableRawPointer
  /// The secret's length in bytes.
  package let count: Int

  private init(uninitializedCount count: Int) throws(SecretMemoryError) {
    unsafe self.base = try unsafe Self.allocate(count)
    self.count = count
  }

  /// Copies bytes into guarded memory, with no copy in between.
  ///
  /// The caller's copy stays as it is.
  ///
  /// - Throws: `outOfMemory`.
  package init(copying bytes: some ContiguousBytesView) throws(SecretMemoryError) {
    try self.init(uninitializedCount: bytes.count)
    unsafe bytes.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      unsafe base.copyMemory(from: start, byteCount: source.count)
    }
  }

  /// Copies the UTF-8 bytes of a text into guarded memory.
  ///
  /// The caller's copy stays as it is.
  ///
  /// - Throws: `outOfMemory`.
  package init(copyingUTF8 text: String) throws(SecretMemoryError) {
    try self.init(copying: Array(text.utf8))
  }

  /// Makes a random secret (`randombytes_buf`).
  ///
  /// - Throws: `outOfMemory`.
  package init(randomCount count: Int) throws(SecretMemoryError) {
    try self.init(uninitializedCount: count)
    unsafe randombytes_buf(base, count)
  }

  /// Makes a secret that a closure fills in place.
  ///
  /// - Throws: `outOfMemory`, or what the closure throws.
  package init(
    count: Int,
    filling fill: (UnsafeMutableRawBufferPointer) throws(SecretMemoryError) -> Void
  ) throws(SecretMemoryError) {
    let base = try unsafe Self.allocate(count)
    do {
      try unsafe fill(UnsafeMutableRawBufferPointer(start: base, count: count))
    } catch {
      unsafe sodium_free(base)
      throw error
    }
    unsafe self.base = base
    self.count = count
  }

  deinit {
    unsafe sodium_free(base)
  }

  private static let hasUnlocked = Atomic(false)

  /// Whether any secret of this process could not be locked and may so be swapped out.
  ///
  /// It can be where `RLIMIT_MEMLOCK` is small (`ulimit -l`) and the process has no `CAP_IPC_LOCK`.
  package static var isAnyUnlocked: Bool { hasUnlocked.load(ordering: .relaxed) }

  private static func allocate(
    _ count: Int
  ) throws(SecretMemoryError) -> UnsafeMutableRawPointer {
    SodiumLibrary.start()
    guard let base = unsafe sodium_malloc(max(count, 1)) else { throw .outOfMemory }
    // libsodium locks too but does not say whether it could; to lock twice changes nothing.
    if unsafe mlock(base, max(count, 1)) != 0 { hasUnlocked.store(true, ordering: .relaxed) }
    return unsafe base
  }

  /// Lends the secret's bytes to a closure; they must not be kept.
  package borrowing func withUnsafeBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: base, count: count))
  }

  /// Copies the secret as text, for an HTTP request or a JSON record; such a copy is not wiped.
  ///
  /// Bytes that are not UTF-8 are replaced, as by `String(decoding:as:)`.
  package borrowing func copiedText() -> String {
    unsafe withUnsafeBytes { bytes in unsafe String(decoding: bytes, as: UTF8.self) }
  }

  /// Copies the secret out of guarded memory; such a copy is not wiped.
  package borrowing func copiedBytes() -> [UInt8] {
    unsafe withUnsafeBytes { bytes in unsafe Array(bytes) }
  }

  /// Compares two secrets in time that depends only on their lengths (`sodium_memcmp`).
  package borrowing func isEqual(to other: borrowing SecretBytes) -> Bool {
    guard count == other.count else { return false }
    return unsafe sodium_memcmp(base, other.base, count) == 0
  }
}

/// Overwrites bytes with zeros in a way that no optimization takes away (`sodium_memzero`).
///
/// Only the array's own storage is reached: whoever has a copy of the array keeps its bytes.
package func wipe(_ bytes: inout [UInt8]) {
  unsafe bytes.withUnsafeMutableBytes { buffer in
    guard let start = buffer.baseAddress else { return }
    unsafe sodium_memzero(start, buffer.count)
  }
}

/// Compares two byte strings in time that depends only on their lengths (`sodium_memcmp`).
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
  guard left.count == right.count else { return false }
  return unsafe left.withUnsafeBytes { leftBytes in
    unsafe right.withUnsafeBytes { rightBytes in
      guard let leftStart = leftBytes.baseAddress, let rightStart = rightBytes.baseAddress else {
        return true
      }
      return unsafe sodium_memcmp(leftStart, rightStart, leftBytes.count) == 0
    }
  }
}

/// Compares two texts' UTF-8 bytes in time that depends only on their lengths.
package func constantTimeEqual(_ left: String, _ right: String) -> Bool {
  constantTimeEqual(Array(left.utf8), Array(right.utf8))
}
