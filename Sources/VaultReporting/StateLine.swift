package import HostControl
import SessionModel

/// One state as one line of `watch --format text`.
package enum StateLine {
  /// Writes the line.
  ///
  /// - Parameter status: the state.
  /// - Returns: the line with its end, whatever names the account or a reason holds.
  package static func text(_ status: NamespaceStatus) -> String {
    var line = "\(status.namespace) \(status.session)"
    if let expiresIn = status.expiresIn {
      let word = expiresIn > .zero ? "ends" : "ended"
      line += ", \(word) \(StatusTable.ending(expiresIn))"
    }
    line += ", host \(status.host)"
    if let generation = status.generation { line += ", generation \(generation)" }
    if let account = status.account { line += ", \(PrintableText.oneLine(account))" }
    if let reason = status.reason { line += ": " + PrintableText.oneLine(reason) }
    if let next = status.nextStep { line += "; " + PrintableText.oneLine(next) }
    return line + "\n"
  }
}
