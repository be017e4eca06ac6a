package import GrantModel
package import HostControl
import SessionModel

extension HostService {
  /// Asks every provider at once whether it answers; those of one provider are asked as one.
  ///
  /// - Returns: what there is to say, by the names of the namespaces.
  func lookAtProviders() async -> [Finding] {
    var providers: [ObjectIdentifier: [NamespaceSession.Setup]] = [:]
    for setup in setups.values.sorted(by: { $0.namespace.name < $1.namespace.name }) {
      providers[ObjectIdentifier(setup.queue), default: []].append(setup)
    }
    return await withTaskGroup(of: (name: String, findings: [Finding]).self) { group in
      for setups in providers.values {
        group.addTask {
          let names = setups.map(\.namespace.name).joined(separator: ", ")
          let reach = await setups.first?.source.reach()
          return (names, reach.map { ProviderExamination.findings($0, of: names) } ?? [])
        }
      }
      var looks: [(name: String, findings: [Finding])] = []
      for await look in group { looks.append(look) }
      return looks.sorted { $0.name < $1.name }.flatMap(\.findings)
    }
  }
}

/// What `doctor` is told of a provider that was looked for.
package enum ProviderExamination {
  /// From where on a clock is said to be off: an answer may take so long.
  static let noticed = Duration.seconds(5)
  /// From where on it keeps people from signing in: no ID token is believed that is further off.
  static let harmful = Duration.seconds(60)

  /// What follows from a look at a provider.
  ///
  /// - Parameters:
  ///   - reach: what was seen.
  ///   - names: the namespaces that have their sessions from it.
  /// - Returns: the findings.
  package static func findings(_ reach: ProviderReach, of names: String) -> [Finding] {
    switch reach {
    case .silent(let reason):
      [
        Finding(
          "provider", .problem, "\(names): the provider cannot be reached: \(reason)",
          mend: "look at the network, and at issuer and proxy in the configuration; no session is"
            + " lost by it")
      ]
    case .answered(let status, let lead):
      [answer(status, of: names)] + (lead.map { [clock($0, of: names)] } ?? [])
    }
  }

  private static func answer(_ status: Int, of names: String) -> Finding {
    guard status >= 500 else { return Finding("provider", .fine, "\(names): the provider answers") }
    return Finding(
      "provider", .problem, "\(names): the provider answers with status \(status)",
      mend: "wait, or ask whoever runs it; the host goes on trying")
  }

  private static func clock(_ lead: Duration, of names: String) -> Finding {
    let distance = lead < .zero ? .zero - lead : lead
    guard distance >= noticed else {
      return Finding("clock", .fine, "\(names): the provider has the same time as this machine")
    }
    let side = lead < .zero ? "behind" : "ahead of"
    let text =
      "\(names): this machine's clock is \(DurationText.format(distance, parts: 2)) \(side) the"
      + " provider's"
    let mend = "run: sudo timedatectl set-ntp true; if this clock is right, tell the provider"
    return distance > harmful
      ? Finding("clock", .problem, text + ", which keeps people from signing in", mend: mend)
      : Finding("clock", .advice, text, mend: mend)
  }
}
