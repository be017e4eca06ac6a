/// What is to happen when, the earliest first.
///
/// A thousand sessions sleep in one program, so that nothing here looks at all of them.
package struct AlarmList<Deadline: Comparable & Sendable, Action: Sendable>: Sendable {
  private struct Alarm: Sendable {
    let deadline: Deadline
    let number: UInt64
    let action: Action
  }

  // By deadline, then by number; the earliest is the last, which goes without moving the others.
  private var alarms: [Alarm] = []

  /// Creates a list without alarms.
  package init() {}

  /// The earliest deadline; nil when there is none.
  package var next: Deadline? { alarms.last?.deadline }

  /// Adds an alarm.
  ///
  /// - Parameters:
  ///   - action: what belongs to it.
  ///   - deadline: when it is due.
  ///   - number: what it is found by, rising from alarm to alarm.
  package mutating func add(_ action: Action, at deadline: Deadline, number: UInt64) {
    alarms.insert(
      Alarm(deadline: deadline, number: number, action: action),
      at: index(of: deadline, number))
  }

  /// Takes away an alarm.
  ///
  /// - Returns: what belongs to it; nil when it is not there any more.
  package mutating func remove(at deadline: Deadline, number: UInt64) -> Action? {
    let index = index(of: deadline, number)
    guard index < alarms.count, alarms[index].number == number,
      alarms[index].deadline == deadline
    else { return nil }
    return alarms.remove(at: index).action
  }

  /// Takes away what is due.
  ///
  /// - Returns: what belongs to it, in the order of the deadlines.
  package mutating func removeDue(at now: Deadline) -> [Action] {
    var due: [Action] = []
    while let alarm = alarms.last, alarm.deadline <= now {
      due.append(alarm.action)
      alarms.removeLast()
    }
    return due
  }

  /// The place of an alarm, or where it would be: the first that is not later than it.
  private func index(of deadline: Deadline, _ number: UInt64) -> Int {
    var (low, high) = (0, alarms.count)
    while low < high {
      let middle = (low + high) / 2
      let alarm = alarms[middle]
      if (alarm.deadline, alarm.number) > (deadline, number) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }
}
