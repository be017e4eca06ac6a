package import HostControl
package import SessionModel
import StrictJSON

/// What a sign-in or a sign-out shows, for people and for programs.
package enum SignInReport {
  /// An event as one line of `--json`; the members are the documented ones.
  ///
  /// - Parameter event: the host's event.
  /// - Returns: the line with its end; nil for an event that is not shown.
  package static func json(_ event: ControlEvent) -> String? {
    var object = event.object
    switch event {
    case .authorize, .endSession, .endSessionUnconfirmed, .signedIn, .forgotten, .failed: break
    // The rows are for a terminal; a program draws its own code of the address.
    case .device: object["qr"] = nil
    case .signedOut: object["namespace"] = nil
    case .renewed, .namespace, .introspection, .finding, .protection, .passphraseNeeded, .done:
      return nil
    }
    return object.line
  }

  /// What a person has to do to go on, or may have to do besides.
  ///
  /// - Parameters:
  ///   - event: the host's event.
  ///   - drawsCode: whether a QR code can be seen, as on a terminal.
  ///   - isOpened: whether a browser was opened with the address.
  ///   - isRemote: whether the person sits at another machine.
  /// - Returns: the text with its line ends; nil for an event that asks for nothing.
  package static func instructions(
    _ event: ControlEvent, drawsCode: Bool, isOpened: Bool, isRemote: Bool
  ) -> String? {
    switch event {
    case .authorize(let url, let window):
      let address = PrintableText.oneLine(url)
      if isOpened {
        return "\(opened(window)) to sign in. If it does not show, visit:\n  \(address)\n"
      }
      let text = "To sign in, open this address in \(place(window)):\n  \(address)\n"
      return isRemote
        ? text
          + "If your browser is on another machine, open it there. It will end at an address that"
          + " it\ncannot open: copy that whole address and bring it here, in another shell:\n"
          + "  tokenvault sign-in --complete -\n" : text
    case .endSession(let url, let window):
      let address = PrintableText.oneLine(url)
      let text =
        isOpened
        ? "\(opened(window)) to sign out. If it does not show, visit:\n  \(address)\n"
        : "To sign out at the provider, open this address in \(place(window)):\n  \(address)\n"
      return text + "Here the session has ended already; Ctrl-C ends the wait for the browser.\n"
    case .endSessionUnconfirmed(let why):
      return "The session at the provider may go on in the browser: \(PrintableText.oneLine(why));"
        + " end it at the\nprovider's own page.\n"
    case .device(let device): return deviceText(device, drawsCode: drawsCode)
    default: return nil
    }
  }

  /// How a sign-out ended.
  ///
  /// - Parameters:
  ///   - namespace: the namespace.
  ///   - revocation: what became of the provider's side.
  /// - Returns: one line with its end.
  package static func signedOut(
    _ namespace: Namespace, _ revocation: RevocationOutcome
  ) -> String {
    let provider =
      switch revocation {
      case .done: "the provider has revoked the grant"
      case .pending: "the provider could not be told yet and will be told later"
      case .unsupported:
        "the provider has no revocation endpoint; the grant ends there by itself"
      }
    return "\(namespace) is signed out; \(provider)\n"
  }

  private static func opened(_ window: BrowserWindow) -> String {
    window == .usual ? "The browser was opened" : "A private window was opened"
  }

  private static func place(_ window: BrowserWindow) -> String {
    window == .usual
      ? "a browser on this machine" : "a private window of a browser on this machine"
  }

  private static func deviceText(_ device: DeviceAuthorization, drawsCode: Bool) -> String {
    var text = "To sign in, visit:\n  \(PrintableText.oneLine(device.verificationUri))\n"
    text += "and enter the code:\n  \(PrintableText.oneLine(device.userCode))\n"
    if let complete = device.verificationUriComplete {
      text += "or visit, with the code in it:\n  \(PrintableText.oneLine(complete))\n"
    }
    if drawsCode, let rows = device.qr, !rows.isEmpty {
      text += "or scan:\n" + rows.map { $0 + "\n" }.joined()
    }
    let limit = DurationText.format(device.expiresIn, parts: 2)
    return text + "The code is good for \(limit).\n"
  }
}
