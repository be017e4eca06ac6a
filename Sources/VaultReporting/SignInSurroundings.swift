package import CommandRuntime
package import FileSupport
package import SessionModel

/// Where the person is who signs in or out, as the environment tells.
package struct SignInSurroundings: Sendable, Hashable {
  /// Whether a browser started here would be seen by the person.
  package let canOpenBrowser: Bool
  /// Whether the person sits at another machine.
  package let isRemote: Bool

  /// The variables that it is decided by.
  package static let variables = [
    "DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION", "SSH_TTY", "BROWSER",
  ]

  /// Decides from the environment.
  ///
  /// A forwarded display counts: the browser then runs here, where the redirect comes back to.
  /// - Parameter environment: the variables above.
  package init(environment: Environment) {
    let hasDisplay = environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil
    let isOverSSH = environment["SSH_CONNECTION"] != nil || environment["SSH_TTY"] != nil
    isRemote = isOverSSH && !hasDisplay
    canOpenBrowser = hasDisplay || environment["BROWSER"] != nil
  }

  /// Why no browser can end a session from here, said at once instead of after a wait in vain.
  ///
  /// A sign-out begins at a port of this machine and ends there; nothing can be brought by hand.
  /// - Parameter namespace: whose session is to end.
  /// - Returns: nil where one can.
  package func refusal(toSignOut namespace: Namespace) -> CommandFailure? {
    guard isRemote, !canOpenBrowser else { return nil }
    return CommandFailure(
      "over SSH no browser of yours reaches this machine, and nothing changed; run: tokenvault"
        + " sign-out \(namespace), and end the session in your browser at the provider's own page;"
        + " or add --no-browser and forward the port of the address that it shows",
      .usage)
  }
}
