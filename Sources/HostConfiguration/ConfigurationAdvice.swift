/// Something in a configuration that is allowed, and that a person should know about.
package struct ConfigurationAdvice: Sendable, Hashable {
  /// What it is about, a word that stays the same.
  package let check: String
  /// What is so, one sentence without a full stop.
  package let sentence: String
  /// What to do about it, as the end of a sentence.
  package let mend: String
}

extension NamespaceConfiguration {
  /// What there is to know about this namespace.
  package var advice: [ConfigurationAdvice] {
    redirects.filter { !$0.hasPrefix("http:") && !$0.hasPrefix("https:") }.map { redirect in
      ConfigurationAdvice(
        check: "redirect",
        sentence: "\(namespace): \(redirect) has a scheme that any program can claim, and what a"
          + " handler is started with can be seen in /proc",
        mend: "where the provider takes http://127.0.0.1/callback, use that instead")
    }
  }
}
