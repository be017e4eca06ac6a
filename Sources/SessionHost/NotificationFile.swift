import FileSupport
import SessionModel
import StrictJSON

/// Keeps what people were told, in a file of the state directory that holds no secret.
package struct NotificationFile: Sendable {
  static let name = "notifications"
  private static let sizeLimit = 256 << 10
  private let path: String

  /// Names the file's place.
  ///
  /// - Parameter state: the state directory, which is there.
  package init(state: String) {
    path = state
  }

  /// Reads it; one that is not there or damaged holds nothing, and then somebody is told twice.
  func load() -> NotificationPlan.Memory {
    guard let directory = try? Directory.open(path: path, policy: .ownerOnly),
      let bytes = try? directory.readFile(Self.name, sizeLimit: Self.sizeLimit),
      let value = try? JSONValue(parsing: bytes)
    else { return NotificationPlan.Memory() }
    var memory = NotificationPlan.Memory()
    memory.told = Self.stages(value["told"])
    if let popUp = value["popUp"], let number = popUp["number"]?.integer,
      let number = UInt32(exactly: number), let server = popUp["server"]?.string
    {
      memory.popUp = .init(number: number, server: server, stages: Self.stages(popUp["stages"]))
    }
    return memory
  }

  /// Writes it; there is none while there is nothing to keep.
  func save(_ memory: NotificationPlan.Memory) throws(FileError) {
    let directory = try Directory.open(path: path, policy: .ownerOnly)
    guard memory != NotificationPlan.Memory() else {
      return try directory.removeFile(Self.name)
    }
    var object: JSONObject = ["told": .object(Self.object(memory.told))]
    if let popUp = memory.popUp {
      object["popUp"] = .object([
        "number": .integer(Int64(popUp.number)), "server": .string(popUp.server),
        "stages": .object(Self.object(popUp.stages)),
      ])
    }
    try directory.replaceFile(Self.name, with: object.encoded(), durability: .durable)
  }

  private static func object(_ stages: [Namespace: PersonMatter.Stage]) -> JSONObject {
    JSONObject(
      stages.sorted { $0.key.name < $1.key.name }.map { ($0.key.name, .string($0.value.rawValue)) })
  }

  private static func stages(_ value: JSONValue?) -> [Namespace: PersonMatter.Stage] {
    var stages: [Namespace: PersonMatter.Stage] = [:]
    for member in value?.object?.members ?? [] {
      guard let namespace = Namespace(member.name), let word = member.value.string else { continue }
      stages[namespace] = PersonMatter.Stage(rawValue: word)
    }
    return stages
  }
}
