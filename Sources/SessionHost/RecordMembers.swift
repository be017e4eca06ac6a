import GrantModel
import StrictJSON

/// The members of one stored JSON object, each of which must be read exactly as it is declared.
final class RecordMembers {
  private let object: JSONObject
  private let place: String
  private var read: [String] = []

  init(_ object: JSONObject?, at place: String) throws(RecordFormatError) {
    guard let object else { throw RecordFormatError(member: place) }
    self.object = object
    self.place = place
  }

  private func value(_ name: String) -> JSONValue? {
    read.append(name)
    return object[name]
  }

  private func failure(_ name: String) -> RecordFormatError {
    RecordFormatError(member: place + "." + name)
  }

  func optionalString(_ name: String) throws(RecordFormatError) -> String? {
    guard let value = value(name) else { return nil }
    guard let text = value.string else { throw failure(name) }
    return text
  }

  func string(_ name: String) throws(RecordFormatError) -> String {
    guard let text = try optionalString(name) else { throw failure(name) }
    return text
  }

  func optionalInteger(_ name: String) throws(RecordFormatError) -> Int64? {
    guard let value = value(name) else { return nil }
    guard let number = value.integer else { throw failure(name) }
    return number
  }

  func integer(_ name: String) throws(RecordFormatError) -> Int64 {
    guard let number = try optionalInteger(name) else { throw failure(name) }
    return number
  }

  func count(_ name: String) throws(RecordFormatError) -> Int {
    let number = try integer(name)
    guard (0...1_000_000).contains(number) else { throw failure(name) }
    return Int(number)
  }

  func optionalBool(_ name: String) throws(RecordFormatError) -> Bool? {
    guard let value = value(name) else { return nil }
    guard let flag = value.bool else { throw failure(name) }
    return flag
  }

  func bool(_ name: String) throws(RecordFormatError) -> Bool {
    guard let flag = try optionalBool(name) else { throw failure(name) }
    return flag
  }

  func array(_ name: String) throws(RecordFormatError) -> [JSONValue] {
    guard let values = value(name)?.array else { throw failure(name) }
    return values
  }

  func optionalObject(_ name: String) throws(RecordFormatError) -> JSONObject? {
    guard let value = value(name) else { return nil }
    guard let object = value.object else { throw failure(name) }
    return object
  }

  func optionalToken(_ name: String) throws(RecordFormatError) -> RefreshToken? {
    guard let text = try optionalString(name) else { return nil }
    do {
      return try RefreshToken(text)
    } catch {
      throw RecordFormatError(member: place + "." + name, isOutOfMemory: true)
    }
  }

  func refuseOthers() throws(RecordFormatError) {
    for member in object.members where !read.contains(member.name) {
      throw RecordFormatError(member: place + "." + member.name, isOfNewerHost: true)
    }
  }
}
