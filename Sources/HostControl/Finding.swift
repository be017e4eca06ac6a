package import StrictJSON

/// What an examination found out about one thing, and how it is mended.
package struct Finding: Sendable, Hashable {
  /// How much it matters.
  package enum Level: String, Sendable, Hashable, CaseIterable {
    /// It is as it should be.
    case fine
    /// It works, and is worth knowing.
    case advice
    /// It keeps something from working, or from being safe.
    case problem
  }

  /// What was looked at: a word that stays the same, such as `runtime-directory`.
  package let check: String
  /// How much it matters.
  package let level: Level
  /// What was found, one sentence without a full stop.
  package let text: String
  /// What to do about it, as the end of a sentence; nil where there is nothing to do.
  package let mend: String?

  /// Makes a finding.
  package init(_ check: String, _ level: Level, _ text: String, mend: String? = nil) {
    self.check = check
    self.level = level
    self.text = text
    self.mend = mend
  }

  /// The finding as one object, all members in the documented order.
  package var object: JSONObject {
    [
      "check": .string(check), "level": .string(level.rawValue), "text": .string(text),
      "mend": mend.map { .string($0) } ?? .null,
    ]
  }

  init(_ members: inout MessageMembers) throws(ControlMessageError) {
    check = try members.requiredText("check")
    guard let level = Level(rawValue: try members.requiredText("level")) else {
      throw members.wrong("level", "\"fine\", \"advice\" or \"problem\"")
    }
    self.level = level
    text = try members.requiredText("text")
    mend = try members.text("mend")
  }
}
