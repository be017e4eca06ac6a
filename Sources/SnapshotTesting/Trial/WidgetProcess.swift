import CommandRuntime
import FileSupport
import Glibc

/// A widget that runs, with its output; its whole process group ends with it.
struct WidgetProcess: ~Copyable {
  // A line without its end is shown when nothing more has come for so long.
  private static let rest = Duration.milliseconds(50)

  private let child: ChildProcess
  private let ended: ProcessDescriptor
  /// What its lines are timed by: at first a clock of its own.
  var clock = TrialClock() { didSet { lastRead = .zero } }
  private let output: FileDescriptor
  private let error: FileDescriptor
  private var isOpen = [true, true]
  private var splitters = [OutputSplitter(isError: false), OutputSplitter(isError: true)]
  private var lastRead = Duration.zero
  private var ending: ChildProcess.Ending?
  private var finalTime: Duration?

  /// Starts a widget.
  ///
  /// - Throws: `WidgetTrial.Failure`.
  init(
    _ command: [String], environment: Environment
  ) throws(WidgetTrial.Failure) {
    let out = try Self.pipe()
    let err = try Self.pipe()
    let child: ChildProcess
    do {
      child = try ChildProcess(
        command, environment: environment, output: .descriptor(out.writing.rawValue),
        error: .descriptor(err.writing.rawValue), group: .own)
    } catch {
      throw .program(error)
    }
    ended = try Self.descriptor(of: child)
    self.child = child
    output = out.takeReadingEnd()
    error = err.takeReadingEnd()
  }

  private static func pipe() throws(WidgetTrial.Failure) -> Pipe {
    do {
      return try Pipe()
    } catch {
      throw .system(call: "pipe2", error)
    }
  }

  private static func descriptor(
    of child: ChildProcess
  ) throws(WidgetTrial.Failure) -> ProcessDescriptor {
    do {
      return try ProcessDescriptor(of: child.identifier)
    } catch {
      child.send(SIGKILL)
      _ = try? child.wait()
      throw .system(call: "pidfd_open", error)
    }
  }

  /// What to wait on: both streams and the end.
  var descriptors: [Int32] {
    [
      isOpen[0] ? output.rawValue : -1, isOpen[1] ? error.rawValue : -1,
      ending == nil ? ended.rawDescriptor : -1,
    ]
  }

  /// How long to wait at most before `read` has something to say unasked.
  var patience: Duration {
    splitters.contains(where: \.hasPending) ? Self.rest : .seconds(3600)
  }

  /// The processor time that the group has taken so far, or had when it was asked to end.
  var processorTime: Duration { finalTime ?? ProcessorTime.of(group: child.identifier) }

  /// Reads what there is, without waiting.
  ///
  /// - Parameter ready: which of the descriptors are.
  /// - Returns: the lines.
  mutating func read(_ ready: [Readiness]) -> [TrialRecord.Line] {
    let now = clock.elapsed
    var lines: [TrialRecord.Line] = []
    for (index, descriptor) in [output.rawValue, error.rawValue].enumerated()
    where isOpen[index] && !ready[index].isEmpty {
      var bytes = [UInt8](repeating: 0, count: 16 << 10)
      let count = (try? retryingInterrupted { unsafe Glibc.read(descriptor, &bytes, bytes.count) })
      guard let count, count > 0 else {
        isOpen[index] = false
        lines += splitters[index].flush(at: now)
        continue
      }
      lastRead = now
      lines += splitters[index].take(bytes[..<count], at: now)
    }
    if now - lastRead >= Self.rest {
      for index in splitters.indices { lines += splitters[index].flush(at: now) }
    }
    return lines
  }

  /// The end of the widget, if it has come; its children are ended then.
  ///
  /// - Parameter ready: which of the descriptors are.
  /// - Returns: how it ended; nil while it lives, or while there is output of it.
  mutating func earlyEnd(_ ready: [Readiness]) -> TrialRecord.End? {
    guard !ready[2].isEmpty, ready[0].isEmpty, ready[1].isEmpty else { return nil }
    let at = clock.elapsed
    reap()
    let words =
      switch ending {
      case .exited(let status): "ended with status \(status)"
      case .killed(let signal): "was ended by signal \(signal)"
      case nil: "was gone"
      }
    return TrialRecord.End(at: at, words: words)
  }

  /// Asks the widget to end, has it killed where it does not, and waits for it.
  ///
  /// - Parameter limit: how long it may take.
  /// - Returns: how long it took; nil when it was killed, or had ended before.
  mutating func end(within limit: Duration) -> Duration? {
    guard ending == nil else { return nil }
    finalTime = processorTime
    let began = clock.elapsed
    child.send(SIGTERM)
    while ending == nil, clock.elapsed - began < limit {
      let rest = limit - (clock.elapsed - began)
      guard let ready = try? waitForInput(descriptors, timeout: rest) else { break }
      _ = read(ready)
      if !ready[2].isEmpty { reap() }
    }
    guard ending == nil else { return clock.elapsed - began }
    reap()
    return nil
  }

  // Before it is waited for, its number is taken, and so is that of its group.
  private mutating func reap() {
    if finalTime == nil { finalTime = processorTime }
    child.send(SIGKILL)
    ending = (try? child.wait()) ?? .killed(SIGKILL)
  }
}
