import SessionModel
import StrictJSON

extension LoginEnd {
  /// What is known as an object.
  var json: JSONValue {
    var members: [(String, JSONValue)] = [
      ("issuer", .string(issuer)), ("isFixed", .bool(isFixed)),
    ]
    if let signedInAt { members.append(("signedInAt", .integer(signedInAt.rawValue))) }
    if let warnedOf { members.append(("warnedOf", .integer(warnedOf.rawValue))) }
    if let ages {
      members.append(("alive", .integer(ages.alive.components.seconds)))
      members.append(("over", .integer(ages.over.components.seconds)))
      members.append(("count", .integer(Int64(count))))
    }
    return .object(JSONObject(members))
  }

  /// Reads what is known from its object.
  ///
  /// - Throws: `RecordFormatError`.
  init(_ members: RecordMembers) throws(RecordFormatError) {
    self.init(issuer: try members.string("issuer"))
    isFixed = try members.bool("isFixed")
    signedInAt = try members.optionalInteger("signedInAt").map { UnixTime(rawValue: $0) }
    warnedOf = try members.optionalInteger("warnedOf").map { UnixTime(rawValue: $0) }
    if let alive = try members.optionalInteger("alive") {
      ages = AgeRange(alive: .seconds(alive), over: .seconds(try members.integer("over")))
      count = try members.count("count")
    }
    try members.refuseOthers()
  }
}
