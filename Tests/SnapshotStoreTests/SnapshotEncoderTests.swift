import SecretMemory
import SessionModel
import SnapshotFormat
import SnapshotStore
import Testing

@Suite struct SnapshotEncoderTests {
  @Test func aSessionComesBackWithoutTheHostsTokens() throws {
    let draft = Sample.draft()
    let snapshot = try Sample.open(Sample.snapshot(draft))
    #expect(snapshot.header == draft.header(for: try Sample.groupKey().identifier))
    #expect(snapshot.content == .session(Sample.record.withoutHostTokens))
    #expect(snapshot.header.accessTokenLifetime == .seconds(3600))
  }

  @Test func aSharedSessionComesBackWhole() throws {
    let snapshot = try Sample.open(Sample.snapshot(sharesHostTokens: true))
    #expect(snapshot.content == .session(Sample.record))
  }
}
