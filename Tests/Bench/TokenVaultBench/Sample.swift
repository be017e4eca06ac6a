import CommandRuntime
import Glibc

/// What the benchmarks write: lines with the name of a series and a value.
enum Sample {
  /// Writes one sample.
  static func write(_ series: String, _ value: Double) throws {
    try StandardStream.output.write("\(series) \(value)\n")
  }

  /// Microseconds of `CLOCK_MONOTONIC`, the clock of the programs in C.
  static func now() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) * 1e6 + Double(time.tv_nsec) / 1e3
  }

  /// Tells `rename` the time of an event, as eight bytes; the first is the sign that it is heard.
  static func tell(_ time: Double) {
    unsafe withUnsafeBytes(of: time) { bytes in
      // A reader whose writer has gone has nothing left to do.
      if unsafe Glibc.write(STDOUT_FILENO, bytes.baseAddress, bytes.count) != bytes.count {
        exit(1)
      }
    }
  }
}
