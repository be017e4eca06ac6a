package import FileSupport

/// Where the person is who signs in, as the environment tells.
package struct SignInSurroundings: Sendable, Hashable {
  /// Whether a browser started here would be seen by the person.
  package let hasDisplay: Bool
  /// Whether the person sits at another machine.
  package let isRemote: Bool

  /// The variables that it is decided by.
  package static let variables = ["DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_TTY"]

  /// Decides from the environment.
  ///
  /// A forwarded display counts: the browser then runs here, where the redirect comes back to.
  /// - Parameter environment: the variables above.
  package init(environment: Environment) {
    hasDisplay = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    let isOverSSH = environment["SSH_CONNECTION"] != nil || environment["SSH_TTY"] != nil
    isRemote = isOverSSH && !hasDisplay
  }
}
