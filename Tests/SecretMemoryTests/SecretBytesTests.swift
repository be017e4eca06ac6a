import Glibc
import SecretMemory
import TestSupport
import Testing

@Suite struct SecretBytesTests {
  @Test(arguments: [[], [7], Array(0...255)] as [[UInt8]])
  func bytesComeBack(_ bytes: [UInt8]) throws {
    let secret = try SecretBytes(copying: bytes)
    #expect(secret.copiedBytes() == bytes)
    #expect(secret.count == bytes.count)
  }

  @Test func mm01MemoryThatCouldNotBeLockedIsReported() async {
    await #expect(processExitsWith: .success) {
      let before = SecretBytes.isAnyUnlocked
      var limit = rlimit(rlim_cur: 16 << 10, rlim_max: 16 << 10)
      #expect(unsafe setrlimit(__rlimit_resource_t(__RLIMIT_MEMLOCK.rawValue), &limit) == 0)
      // Root may lock whatever it likes.
      if geteuid() == 0 { #expect(setuid(65_534) == 0) }
      // A sanitizer puts an mlock in the place of the system's that always succeeds.
      var page = [UInt8](repeating: 0, count: 64 << 10)
      let isReal = unsafe page.withUnsafeMutableBytes { bytes in
        unsafe mlock(bytes.baseAddress, bytes.count) != 0
      }
      let first = try SecretBytes(randomCount: 32)
      var rest: [SecretHolder] = []
      for _ in 0..<8 { rest.append(SecretHolder(try SecretBytes(randomCount: 32))) }
      #expect(SecretBytes.isAnyUnlocked == isReal)
      #expect(!before)
      #expect(first.count == 32 && rest.count == 8)
    }
  }

  private final class SecretHolder {
    let secret: SecretBytes

    init(_ secret: consuming SecretBytes) {
      self.secret = secret
    }
  }

  @Test func textComesBack() throws {
    #expect(try SecretBytes(copyingUTF8: "tok\u{E9}n").copiedText() == "tok\u{E9}n")
  }

  @Test func secretsAreComparedByTheirBytes() throws {
    let secret = try SecretBytes(copying: [1, 2, 3])
    for (other, expected) in [
      ([1, 2, 3], true), ([1, 2, 4], false), ([1, 2], false), ([1, 2, 3, 0], false), ([], false),
    ] as [([UInt8], Bool)] {
      let isEqual = secret.isEqual(to: try SecretBytes(copying: other))
      #expect(isEqual == expected)
      #expect(constantTimeEqual([1, 2, 3], other) == expected)
    }
    #expect(constantTimeEqual([UInt8](), []))
    #expect(constantTimeEqual("caf\u{E9}", "caf\u{E9}"))
    #expect(!constantTimeEqual("caf\u{E9}", "cafe\u{301}"))
  }

  @Test func aFailedFillThrowsAndGivesNothing() {
    #expect(throws: SecretMemoryError.cannotOpen) {
      _ = try unsafe SecretBytes(count: 4) { _ throws(SecretMemoryError) in throw .cannotOpen }
        .count
    }
  }

  @Test func randomSecretsDiffer() throws {
    let one = try SecretBytes(randomCount: 32).copiedBytes()
    let two = try SecretBytes(randomCount: 32).copiedBytes()
    #expect(one != two)
    #expect(one.count == 32)
  }

  @Test func cr08NoncesDoNotRepeat() {
    // Of a third of the 192 bits: a repetition by chance has a probability of 3 in 10^8.
    var seen: Set<UInt64> = []
    seen.reserveCapacity(1_000_000)
    for _ in 0..<1_000_000 {
      seen.insert(randomBytes(24)[..<8].reduce(0) { $0 << 8 | UInt64($1) })
    }
    #expect(seen.count == 1_000_000)
  }

  @Test func randomNumbersStayBelowTheirBound() {
    for _ in 0..<1_000 { #expect(randomNumber(below: 3) < 3) }
    #expect(randomNumber(below: 1) == 0)
  }

  @Test func cr19TheLibraryIsNewEnough() {
    let parts = sodiumVersion().split(separator: ".").compactMap { Int($0) }
    #expect(parts.count == 3)
    #expect(!parts.lexicographicallyPrecedes([1, 0, 18]), "libsodium \(sodiumVersion())")
  }

  // Debian's first version without CVE-2025-69277.
  @Test(.enabled(if: TestFile.exists("/usr/bin/dpkg-query"), "only Debian's packages tell"))
  func cr19ThePackageHasTheSecurityUpdate() async throws {
    let package = try await ToolRunner.runSuccessfully(
      ToolRequest("dpkg-query", ["--show", "--showformat", "${Version}", "libsodium23"]))
    let comparison = try await ToolRunner.run(
      ToolRequest(
        "dpkg", ["--compare-versions", package.output, "ge", "1.0.18-1+deb12u1"]))
    #expect(comparison.status == 0, "libsodium23 \(package.output)")
  }

  @Test func mm05AReadBehindASecretEndsTheProcess() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      // A page's length: what is behind the last byte is the guard page.
      let secret = try SecretBytes(randomCount: 4096)
      let last = unsafe secret.withUnsafeBytes { bytes in
        unsafe bytes.baseAddress?.advanced(by: bytes.count - 1).load(as: UInt8.self)
      }
      try #require(last != nil)
      print("read the last byte")
      fflush(nil)
      let next = unsafe secret.withUnsafeBytes { bytes in
        unsafe bytes.baseAddress?.advanced(by: bytes.count).load(as: UInt8.self)
      }
      print("read \(next ?? 0)")
      exit(0)
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(output == "read the last byte\n")
    // A sanitizer reports the fault and ends the process by itself.
    let error = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(result?.exitStatus == .signal(SIGSEGV) || error.contains("SEGV"))
  }
}
