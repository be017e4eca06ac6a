import CommandRuntime
import FileSupport
import Glibc
import HostControl
import SessionModel
import VaultReporting

extension VaultCommand {
  private static let patience = Duration.seconds(60)

  /// `sign-in`: has the host sign a person in, and shows what the person has to do.
  ///
  /// - Throws: `UsageError` or `CommandFailure`.
  func signIn() throws {
    let namespace = try operandNamespace()
    if let address = invocation.text(VaultCommands.complete) {
      return try complete(address, isNamed: !invocation.operands.isEmpty ? namespace : nil)
    }
    let surroundings = SignInSurroundings(
      environment: .process(SignInSurroundings.variables))
    let request = SignInRequest(
      namespace: namespace,
      flow: invocation.text(VaultCommands.flow).flatMap { SignInFlow(rawValue: $0) },
      isRemote: surroundings.isRemote, loginHint: invocation.text(VaultCommands.loginHint),
      loginMethod: invocation.text(VaultCommands.loginMethod),
      parameters: invocation.assignments(VaultCommands.parameter).map {
        SignInRequest.Parameter(name: $0.name, value: $0.value)
      })
    let signals: SignalMonitor
    do {
      signals = try SignalMonitor([.interrupt])
    } catch {
      throw CommandFailure("signals cannot be watched: \(error)", .storage)
    }
    do throws(ControlError) {
      var client = try connect()
      try client.send(.signIn(request))
      while true {
        let event = try client.nextEvent(timeout: nil, interrupter: signals.rawDescriptor)
        if event.isLast { return finishSignIn(event, namespace) }
        show(event, surroundings)
      }
    } catch {
      // Closing the connection, which the end of the program does, makes the host cancel.
      if error == .interrupted {
        CommandOutput.fail("the sign-in of \(namespace) was cancelled", status: 128 + SIGINT)
      }
      throw CommandFailure(error, consequence: "nobody was signed in")
    }
  }

  /// `sign-out`: has the host end a session here and at the provider.
  ///
  /// - Throws: `UsageError` or `CommandFailure`.
  func signOut() throws {
    let namespace = try operandNamespace()
    let event: ControlEvent
    do throws(ControlError) {
      event =
        invocation.has(VaultCommands.browser)
        ? try signOutInBrowser(namespace) : try answer(to: .signOut(namespace))
    } catch {
      throw CommandFailure(
        error, consequence: "nothing changed; without it: tokenvault-host --sign-out \(namespace)")
    }
    guard case .signedOut(_, let revocation) = event else { throw failure(event) }
    if invocation.has(VaultCommands.json) {
      CommandOutput.write(SignInReport.json(event) ?? "")
    } else {
      CommandOutput.write(SignInReport.signedOut(namespace, revocation))
    }
    guard revocation == .pending else { return }
    CommandOutput.fail(
      "the provider could not be told that \(namespace) is signed out; the host tells it later",
      .temporary)
  }

  /// `renew`: has the host get a new access token now.
  ///
  /// - Throws: `UsageError` or `CommandFailure`.
  func renew() throws {
    let namespace = try operandNamespace()
    let event: ControlEvent
    do throws(ControlError) {
      event = try answer(to: .renew(namespace, validFor: nil))
    } catch {
      throw CommandFailure(error)
    }
    guard case .renewed(_, let generation) = event else { throw failure(event) }
    CommandOutput.write("\(namespace) is renewed, generation \(generation)\n")
  }

  /// Brings the address that a browser was sent back to, to the sign-in that waits for it.
  ///
  /// - Throws: `CommandFailure`.
  func complete(_ text: String, isNamed namespace: Namespace?) throws {
    // From standard input it stands in no list of processes.
    let address = text == "-" ? readLine() ?? "" : text
    let event: ControlEvent
    do throws(ControlError) {
      event = try answer(to: .complete(namespace, address: address))
    } catch {
      throw CommandFailure(error, consequence: "nobody was signed in")
    }
    guard case .done = event else { throw failure(event) }
    CommandOutput.write("The sign-in goes on where it was begun.\n")
  }

  private func signOutInBrowser(_ namespace: Namespace) throws(ControlError) -> ControlEvent {
    let surroundings = SignInSurroundings(environment: .process(SignInSurroundings.variables))
    var client = try connect()
    try client.send(.signOutInBrowser(namespace))
    while true {
      let event = try client.nextEvent(timeout: nil)
      if event.isLast { return event }
      show(event, surroundings)
    }
  }

  /// Sends a request that one event answers.
  ///
  /// - Throws: `ControlError`.
  func answer(to request: ControlRequest) throws(ControlError) -> ControlEvent {
    var client = try connect()
    try client.send(request)
    return try client.nextEvent(timeout: Self.patience)
  }

  /// The failure that an event reports, or is.
  func failure(_ event: ControlEvent) -> CommandFailure {
    guard case .failed(let reason, let message) = event else {
      return CommandFailure(.malformed("the host's answer does not fit the request"))
    }
    return CommandFailure(reason, message: message)
  }

  private func show(_ event: ControlEvent, _ surroundings: SignInSurroundings) {
    var isOpened = false
    switch event {
    case .authorize(let url, let window), .endSession(let url, let window):
      if !invocation.has(VaultCommands.noBrowser) {
        isOpened = openBrowser(url, in: window, surroundings)
      }
    default: break
    }
    if invocation.has(VaultCommands.json) {
      CommandOutput.write(SignInReport.json(event) ?? "")
      return
    }
    let text = SignInReport.instructions(
      event, drawsCode: isatty(STDERR_FILENO) == 1, isOpened: isOpened,
      isRemote: surroundings.isRemote)
    CommandOutput.show(text ?? "")
  }

  private func openBrowser(
    _ url: String, in window: BrowserWindow, _ surroundings: SignInSurroundings
  ) -> Bool {
    let environment = Environment.process(["BROWSER"])
    guard surroundings.hasDisplay || environment["BROWSER"] != nil else { return false }
    let launcher =
      switch window {
      case .usual: BrowserLauncher(environment: environment)
      case .privateWindow(let command) where !command.isEmpty:
        BrowserLauncher(candidates: [command])
      case .privateWindow:
        BrowserLauncher(
          candidates: PrivateBrowser.candidates(
            environment: environment, desktopEntry: PrivateBrowser.defaultDesktopEntry()))
      }
    return (try? launcher.open(url)) != nil
  }

  private func finishSignIn(_ event: ControlEvent, _ namespace: Namespace) {
    if invocation.has(VaultCommands.json), let line = SignInReport.json(event) {
      CommandOutput.write(line)
    }
    guard case .signedIn = event else {
      let failure = failure(event)
      CommandOutput.fail(failure.description, failure.code)
    }
    if !invocation.has(VaultCommands.json) {
      CommandOutput.write("\(namespace) is signed in\n")
    }
  }
}
