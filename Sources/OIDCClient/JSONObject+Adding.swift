import StrictJSON

extension JSONObject {
  /// The object with those members of another whose names it does not have.
  func addingMembers(of other: JSONObject) -> JSONObject {
    var sum = self
    for member in other.members where sum[member.name] == nil { sum[member.name] = member.value }
    return sum
  }
}
