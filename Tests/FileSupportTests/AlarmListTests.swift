import FileSupport
import TestSupport
import Testing

@Suite struct AlarmListTests {
  @Test func whatIsDueComesInTheOrderOfItsDeadlines() {
    var list = AlarmList<Int, String>()
    #expect(list.next == nil)
    for (number, deadline) in [30, 10, 20, 10, 40].enumerated() {
      list.add("\(deadline)/\(number)", at: deadline, number: UInt64(number))
    }
    #expect(list.next == 10)
    #expect(list.removeDue(at: 9) == [])
    #expect(list.removeDue(at: 20) == ["10/1", "10/3", "20/2"])
    #expect(list.next == 30)
    #expect(list.removeDue(at: 100) == ["30/0", "40/4"])
    #expect(list.next == nil)
  }

  @Test func anAlarmIsTakenAwayOnce() {
    var list = AlarmList<Int, String>()
    for number in 0..<3 { list.add("\(number)", at: 10, number: UInt64(number)) }
    #expect(list.remove(at: 10, number: 1) == "1")
    #expect(list.remove(at: 10, number: 1) == nil)
    #expect(list.remove(at: 11, number: 2) == nil)
    #expect(list.removeDue(at: 10) == ["0", "2"])
    #expect(list.remove(at: 10, number: 2) == nil)
  }

  @Test func manyAreKeptInOrder() {
    var generator = SeededGenerator(seed: 7)
    var list = AlarmList<Int, Int>()
    let deadlines = (0..<500).map { _ in Int.random(in: 0..<100, using: &generator) }
    for (number, deadline) in deadlines.enumerated() {
      list.add(deadline, at: deadline, number: UInt64(number))
    }
    for number in stride(from: 0, to: 500, by: 3) {
      #expect(list.remove(at: deadlines[number], number: UInt64(number)) == deadlines[number])
    }
    let left = deadlines.indices.filter { $0 % 3 != 0 }.map { deadlines[$0] }
    #expect(list.removeDue(at: 100) == left.sorted())
  }
}
