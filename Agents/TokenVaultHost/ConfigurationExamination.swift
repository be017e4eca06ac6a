import HostConfiguration
import HostControl

/// What the host tells `tokenvault doctor` of its configuration, which no reader looks at.
enum ConfigurationExamination {
  /// Everything that there is to say; secrets are looked for anew each time.
  static func findings(_ configuration: ConfigurationFile) -> [Finding] {
    configuration.warnings.map { Finding("configuration", .advice, $0.description) }
      + configuration.namespaces.flatMap(\.advice).map {
        Finding($0.check, .advice, $0.sentence, mend: $0.mend)
      } + secrets(configuration)
  }

  /// The client secrets that cannot be read, without which neither sign-in nor renewal succeeds.
  static func secrets(_ configuration: ConfigurationFile) -> [Finding] {
    configuration.namespaces.compactMap { namespace in
      namespace.clientSecret.flatMap { ClientSecret.problem($0) }.map { problem in
        Finding(
          "client-secret", .problem, "\(namespace.namespace): \(problem)",
          mend: "no sign-in and no renewal will succeed before it can be read")
      }
    }
  }
}
