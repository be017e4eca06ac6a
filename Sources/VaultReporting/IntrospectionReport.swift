package import HostControl
package import SessionModel

/// What a provider says about an access token, for people.
package enum IntrospectionReport {
  /// Writes the answer as lines of a name and a value.
  ///
  /// - Parameters:
  ///   - answer: what the provider says.
  ///   - now: the time that the ends are counted from.
  /// - Returns: the lines with their ends, whatever the provider has put into its texts.
  package static func text(_ answer: IntrospectionAnswer, now: UnixTime) -> String {
    let rows: [(name: String, value: String?)] = [
      ("active", answer.isActive ? "yes" : "no"),
      ("account", answer.username),
      ("subject", answer.subject),
      ("scope", answer.scope),
      ("client", answer.clientId),
      ("type", answer.tokenType),
      ("issued", answer.issuedAt.map { StatusTable.ending($0.since(now)) }),
      ("ends", answer.expiresAt.map { StatusTable.ending($0.since(now)) }),
      ("audience", answer.audience.isEmpty ? nil : answer.audience.joined(separator: ", ")),
      ("issuer", answer.issuer),
    ]
    let shown = rows.compactMap { row in row.value.map { (row.name, $0) } }
    let width = shown.map(\.0.count).max() ?? 0
    return shown.map { name, value in
      name + String(repeating: " ", count: width - name.count + 2) + PrintableText.oneLine(value)
        + "\n"
    }.joined()
  }
}
