package import GrantModel
package import HostControl
package import SessionModel

extension NamespaceSession {
  /// What a namespace is made of.
  package struct Setup: Sendable {
    /// The namespace.
    package let namespace: Namespace
    /// Where its session comes from.
    package let source: any SessionSource
    /// When it is renewed.
    package let policy: RenewalPolicy
    /// Where it waits for its turn among the provider's sessions before it renews itself.
    package let queue: RenewalQueue
    /// Whose readers may have it.
    package let accessGroups: [AccessGroup]
    /// Whether readers get the refresh and ID token too, as `doctor` warns.
    package let sharesRefreshToken: Bool
    /// A name for the account that the person chose; shown instead of the provider's.
    package let accountName: String?
    /// How the provider's pages are opened in the person's browser.
    package let window: BrowserWindow
    /// Told once when a renewal begins to fail and when the session ends, in one sentence.
    package let onError: (@Sendable (String) -> Void)?
    /// Told what the namespace needs a person for, at the start and at each change; nil for nothing.
    package let onMatter: (@Sendable (PersonMatter?) -> Void)?

    /// Creates a setup.
    package init(
      namespace: Namespace, source: any SessionSource, policy: RenewalPolicy,
      queue: RenewalQueue = RenewalQueue(),
      accessGroups: [AccessGroup] = [.default], sharesRefreshToken: Bool = false,
      accountName: String? = nil, window: BrowserWindow = .usual,
      onError: (@Sendable (String) -> Void)? = nil,
      onMatter: (@Sendable (PersonMatter?) -> Void)? = nil
    ) {
      self.namespace = namespace
      self.source = source
      self.policy = policy
      self.queue = queue
      self.accessGroups = accessGroups
      self.sharesRefreshToken = sharesRefreshToken
      self.accountName = accountName
      self.window = window
      self.onError = onError
      self.onMatter = onMatter
    }
  }
}
