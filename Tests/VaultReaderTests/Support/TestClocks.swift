import Testing
import SessionModel
import Synchronization
import VaultReader

/// Both of a reader's clocks, which stand still until a test moves them.
final class TestClocks: Sendable {
  private struct Readings {
    var wall: Duration = .seconds(1_900_000_000)
    var boot: Duration = .seconds(50_000)
    var bootByte: UInt8? = 1
  }

  private let readings = Mutex(Readings())

  /// Clocks for a reader.
  var readerClock: ReaderClock {
    ReaderClock(
      wall: { self.readings.withLock { $0.wall } },
      boot: { Self.bootTime(self.readings.withLock { $0.boot }) },
      bootIdentifier: {
        self.readings.withLock { $0.bootByte }.flatMap {
          BootIdentifier(bytes: Array(repeating: $0, count: 16))
        }
      })
  }

  /// The present moment as a publisher writes it.
  func instant() throws -> Instant {
    let readings = readings.withLock { $0 }
    return Instant(
      wall: UnixTime(rawValue: readings.wall.components.seconds),
      boot: Self.bootTime(readings.boot),
      bootIdentifier: try #require(
        BootIdentifier(bytes: Array(repeating: readings.bootByte ?? 1, count: 16))))
  }

  /// Lets time pass on both clocks.
  func advance(by duration: Duration) {
    readings.withLock {
      $0.wall += duration
      $0.boot += duration
    }
  }

  /// Sets the wall clock forward or back, as a person or NTP does.
  func setWall(by duration: Duration) {
    readings.withLock { $0.wall += duration }
  }

  /// Starts the machine again: the boot clock begins anew.
  func reboot(named byte: UInt8?) {
    readings.withLock {
      $0.boot = .seconds(20)
      $0.bootByte = byte
    }
  }

  private static func bootTime(_ duration: Duration) -> BootTime {
    let (seconds, attoseconds) = duration.components
    return BootTime(
      rawValue: UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000))
  }
}
