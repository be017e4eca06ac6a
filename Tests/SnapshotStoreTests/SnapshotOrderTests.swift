import SessionModel
import SnapshotFormat
import SnapshotStore
import Testing

@Suite struct SnapshotOrderTests {
  private static let otherLife = SnapshotLife(rawValue: 99)

  private func header(
    life: SnapshotLife = Sample.life, generation: UInt64, at boot: UInt64 = 100,
    in identifier: BootIdentifier = Sample.boot
  ) -> SnapshotHeader {
    var draft = Sample.draft(generation: generation)
    draft.life = life
    draft.published = Instant(
      wall: UnixTime(rawValue: 0), boot: BootTime(rawValue: boot), bootIdentifier: identifier)
    return draft.header(for: KeyIdentifier(rawValue: 1))
  }

  private func isNewer(
    _ candidate: SnapshotHeader, _ current: SnapshotHeader, in boot: BootIdentifier = Sample.boot
  ) -> Bool {
    SnapshotOrder.isNewer(candidate, than: current, in: boot)
  }

  @Test func withinALifeTheGenerationDecidesWhateverTheClocksSay() {
    #expect(isNewer(header(generation: 8, at: 1), header(generation: 7)))
    #expect(!isNewer(header(generation: 7, at: 999), header(generation: 7)))
    #expect(!isNewer(header(generation: 6, at: 999), header(generation: 7)))
    #expect(isNewer(header(generation: .max), header(generation: .max - 1)))
    #expect(
      isNewer(header(generation: 8, in: Sample.otherBoot), header(generation: 7)))
  }

  @Test func cr09AnOlderSnapshotPutBackIsNotNewer() {
    #expect(!isNewer(header(generation: 3, at: 100), header(generation: 4, at: 100)))
    #expect(
      !isNewer(header(life: Self.otherLife, generation: 900, at: 99), header(generation: 4)))
  }

  @Test func anotherLifeIsNewerWhenPublishedLaterInTheSameBoot() {
    #expect(isNewer(header(life: Self.otherLife, generation: 1, at: 101), header(generation: 9)))
    #expect(!isNewer(header(life: Self.otherLife, generation: 99, at: 100), header(generation: 9)))
  }

  @Test func anotherLifeAndBootIsNewerOnlyInThePresentBoot() {
    let held = header(generation: 9, at: 1_000)
    let candidate = header(
      life: Self.otherLife, generation: 1, at: 1, in: Sample.otherBoot)
    #expect(isNewer(candidate, held, in: Sample.otherBoot))
    #expect(!isNewer(candidate, held, in: Sample.boot))
  }
}
