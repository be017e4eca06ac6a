import SecretMemory
import SessionModel
import StrictJSON

extension Instant {
  /// The instant as an object.
  var json: JSONValue {
    .object(
      JSONObject([
        ("wall", .integer(wall.rawValue)),
        ("nanoseconds", .integer(Int64(fraction / .nanoseconds(1)))),
        ("boot", .string(String(boot.rawValue))),
        ("bootIdentifier", .string(Base64URL.encode(bootIdentifier.bytes))),
      ]))
  }

  /// Reads an instant from its object.
  ///
  /// - Throws: `RecordFormatError`.
  init(_ members: RecordMembers) throws(RecordFormatError) {
    let wall = try members.integer("wall")
    let nanoseconds = try members.integer("nanoseconds")
    let text = try members.string("boot")
    let name = try members.string("bootIdentifier")
    guard let boot = UInt64(text) else { throw RecordFormatError(member: "obtainedAt.boot") }
    guard let identifier = Base64URL.decode(name).flatMap({ BootIdentifier(bytes: $0) }) else {
      throw RecordFormatError(member: "obtainedAt.bootIdentifier")
    }
    guard (0..<1_000_000_000).contains(nanoseconds) else {
      throw RecordFormatError(member: "obtainedAt.nanoseconds")
    }
    try members.refuseOthers()
    self.init(
      wall: UnixTime(rawValue: wall), fraction: .nanoseconds(nanoseconds),
      boot: BootTime(rawValue: boot), bootIdentifier: identifier)
  }
}
