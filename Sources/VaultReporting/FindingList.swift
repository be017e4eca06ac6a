package import CommandRuntime
package import HostControl
import SessionModel
import StrictJSON

/// Findings as a person or a program reads them.
package enum FindingList {
  /// One line for each finding, its mend below it, and a last line that sums them up.
  ///
  /// - Parameters:
  ///   - findings: the findings in the order in which they are shown.
  ///   - terminal: what the text goes to.
  /// - Returns: the text with its last line end.
  package static func text(_ findings: [Finding], on terminal: Terminal) -> String {
    var text = ""
    for finding in findings {
      let (word, style): (String, Terminal.Style) =
        switch finding.level {
        case .fine: ("fine   ", .green)
        case .advice: ("advice ", .yellow)
        case .problem: ("PROBLEM", .red)
        }
      text += terminal.styled(word, style) + "  " + PrintableText.oneLine(finding.text) + "\n"
      if let mend = finding.mend { text += "         -> " + PrintableText.oneLine(mend) + "\n" }
    }
    let problems = findings.count { $0.level == .problem }
    return text
      + (problems == 0 ? "All is well.\n" : "\(problems) problem\(problems == 1 ? "" : "s").\n")
  }

  /// One object, `{"findings":[{"check","level","text","mend"}]}`.
  ///
  /// - Parameter findings: the findings in the order in which they are shown.
  /// - Returns: the line with its end.
  package static func json(_ findings: [Finding]) -> String {
    let object: JSONObject = ["findings": .array(findings.map { .object($0.object) })]
    return object.line
  }
}
