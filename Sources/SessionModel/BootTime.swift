/// A point on the kernel's boot clock (`CLOCK_BOOTTIME`), which counts suspended time too.
public struct BootTime: RawRepresentable, Sendable, Hashable, Comparable {
  /// Nanoseconds since the machine booted.
  public let rawValue: UInt64

  /// Creates a point from nanoseconds since boot.
  public init(rawValue: UInt64) {
    self.rawValue = rawValue
  }

  /// Orders two points of one boot, the earlier first.
  public static func < (left: BootTime, right: BootTime) -> Bool {
    left.rawValue < right.rawValue
  }

  /// Returns the duration from another point of the same boot until this one.
  public func since(_ earlier: BootTime) -> Duration {
    if rawValue >= earlier.rawValue {
      return .nanoseconds(Int64(clamping: rawValue - earlier.rawValue))
    }
    return .zero - .nanoseconds(Int64(clamping: earlier.rawValue - rawValue))
  }
}

/// The kernel's random name of one boot (`/proc/sys/kernel/random/boot_id`), 128 bits.
public struct BootIdentifier: Sendable, Hashable {
  /// The 16 bytes of the UUID, in the order of its text.
  public let bytes: [UInt8]

  /// Creates an identifier from 16 bytes; nil for any other count.
  public init?(bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    self.bytes = bytes
  }

  /// Creates an identifier from its UUID text, dashes and a final newline allowed; nil otherwise.
  public init?(text: String) {
    var digits: [UInt8] = []
    for byte in text.utf8 where byte != 0x2D && byte != 0x0A {
      guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
      digits.append(UInt8(digit))
    }
    guard digits.count == 32 else { return nil }
    bytes = stride(from: 0, to: 32, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }
}

/// One instant read from both clocks, with the boot that the second of them belongs to.
public struct Instant: Sendable, Hashable {
  /// The wall clock's reading, which a person or NTP may set in either direction.
  public let wall: UnixTime
  /// How far the wall clock has gone on since `wall`, less than a second; zero where not known.
  public let fraction: Duration
  /// The boot clock's reading, which only ever goes forward within one boot.
  public let boot: BootTime
  /// The boot that `boot` counts from.
  public let bootIdentifier: BootIdentifier

  /// Creates an instant from its readings.
  public init(
    wall: UnixTime, fraction: Duration = .zero, boot: BootTime, bootIdentifier: BootIdentifier
  ) {
    self.wall = wall
    self.fraction = fraction
    self.boot = boot
    self.bootIdentifier = bootIdentifier
  }

  /// Returns the duration from a point in wall-clock time until this instant.
  public func since(_ earlier: UnixTime) -> Duration {
    wall.since(earlier) + fraction
  }
}
