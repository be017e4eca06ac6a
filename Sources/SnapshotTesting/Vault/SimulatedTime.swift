import FileSupport
import SecretMemory
import SessionModel
import Synchronization
import VaultReader

/// Which clocks a simulation and its readers go by.
public enum SimulatedTime: Sendable, Hashable {
  /// Clocks that stand still until they are moved, so that a test waits for nothing.
  case manual
  /// The system's clocks, as other processes have no others.
  case system
}

/// The clocks of one simulation.
final class SimulatedClocks: Sendable {
  /// Both clocks at one moment.
  struct Reading: Sendable, Hashable {
    /// Since the epoch.
    var wall: Duration
    /// Since the machine booted.
    var boot: Duration
  }

  /// Which clocks they are.
  let time: SimulatedTime
  /// The present boot.
  let bootIdentifier: BootIdentifier
  private let readings = Mutex(
    Reading(wall: .seconds(1_900_000_000), boot: .seconds(50_000)))

  /// Makes clocks.
  ///
  /// - Throws: `SimulationError` where the system does not say which boot it is.
  init(_ time: SimulatedTime) throws(SimulationError) {
    self.time = time
    switch time {
    case .manual: bootIdentifier = Self.anotherBoot
    case .system:
      let text = try simulating { () throws(FileError) in try bootIdentifierText() }
      guard let identifier = BootIdentifier(text: text) else {
        throw .storage("/proc/sys/kernel/random/boot_id: not the identifier of a boot")
      }
      bootIdentifier = identifier
    }
  }

  /// A boot that is not the present one.
  static var anotherBoot: BootIdentifier {
    while true {
      if let identifier = BootIdentifier(bytes: randomBytes(16)) { return identifier }
    }
  }

  /// What both clocks say.
  var now: Reading {
    switch time {
    case .manual: readings.withLock { $0 }
    case .system:
      Reading(
        wall: wallClockReading(), boot: .nanoseconds(Int64(clamping: bootClockNanoseconds())))
    }
  }

  /// The clocks as a reader takes them.
  ///
  /// Here each look at a path or a lock counts for no time: manual clocks stand still meanwhile, and
  /// whoever judges widgets has to know first.
  var readerClock: ReaderClock {
    ReaderClock(
      wall: { self.now.wall }, boot: { BootTime(rawValue: nanoseconds(self.now.boot)) },
      bootIdentifier: { self.bootIdentifier }, lookInterval: .zero)
  }

  /// Lets time pass on both clocks, where they are manual.
  func advance(by duration: Duration) {
    readings.withLock {
      $0.wall += duration
      $0.boot += duration
    }
  }

  /// Sets the wall clock, where it is manual.
  func setWall(by duration: Duration) {
    readings.withLock { $0.wall += duration }
  }
}
