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
      let word =
        switch finding.level {
        case .fine: "fine   "
        case .advice: "advice "
        case .problem: "PROBLEM"
        }
      text +=
        terminal.styled(word, style(finding.level)) + "  " + PrintableText.oneLine(finding.text)
        + "\n"
      if let mend = finding.mend { text += "         -> " + PrintableText.oneLine(mend) + "\n" }
    }
    let problems = findings.count { $0.level == .problem }
    return text
      + (problems == 0 ? "All is well.\n" : "\(problems) problem\(problems == 1 ? "" : "s").\n")
  }

  /// How the word for a finding is shown.
  static func style(_ level: Finding.Level) -> Terminal.Style {
    switch level {
    case .fine: .green
    case .advice: .yellow
    case .problem: .red
    }
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
