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
  /// - Throws: `CommandFailure`.
  func signIn() throws(CommandFailure) {
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
      endSignIn(
        .storage, "signals cannot be watched: \(error)", status: ExitCode.storage.rawValue)
    }
    do throws(CommandFailure) {
      var client = try ask(.signIn(request), otherwise: "nobody was signed in")
      do throws(ControlError) {
        let event = try lastEvent(
          of: &client, surroundings, interrupter: signals.rawDescriptor)
        finishSignIn(event, namespace)
      } catch {
        guard case .interrupted = error else { throw CommandFailure(unanswered: error) }
        // Closing the connection, which the end of the program does, makes the host cancel.
        endSignIn(.cancelled, "the sign-in of \(namespace) was cancelled", status: 128 + SIGINT)
      }
    } catch {
      endSignIn(.hostUnreachable, error.description, status: error.code.rawValue)
    }
  }

  /// `sign-out`: has the host end a session here and at the provider.
  ///
  /// - Throws: `CommandFailure`.
  func signOut() throws(CommandFailure) {
    let namespace = try operandNamespace()
    let otherwise = "nothing changed; without it: tokenvault-host --sign-out \(namespace)"
    let event =
      invocation.has(VaultCommands.browser)
      ? try signOutInBrowser(namespace, otherwise: otherwise)
      : try answer(to: .signOut(namespace), otherwise: otherwise)
    guard case .signedOut(_, let revocation) = event else { throw failure(event) }
    if invocation.has(VaultCommands.json) {
      CommandOutput.vault.write(SignInReport.json(event) ?? "")
    } else {
      CommandOutput.vault.write(SignInReport.signedOut(namespace, revocation))
    }
    // What was written says it already.
    if revocation == .pending { exit(ExitCode.temporary.rawValue) }
  }

  /// `renew`: has the host get a new access token now.
  ///
  /// - Throws: `CommandFailure`.
  func renew() throws(CommandFailure) {
    let namespace = try operandNamespace()
    let event = try answer(to: .renew(namespace, validFor: nil), otherwise: "nothing changed")
    guard case .renewed(_, let generation) = event else { throw failure(event) }
    CommandOutput.vault.write("\(namespace) has a new access token, generation \(generation)\n")
  }

  /// Brings the address that a browser was sent back to, to the sign-in that waits for it.
  ///
  /// - Throws: `CommandFailure`.
  func complete(_ text: String, isNamed namespace: Namespace?) throws(CommandFailure) {
    // From standard input it stands in no list of processes.
    let address = text == "-" ? readLine() ?? "" : text
    let event = try answer(
      to: .complete(namespace, address: address), otherwise: "nobody was signed in")
    guard case .done = event else { throw failure(event) }
    CommandOutput.vault.write("The sign-in goes on where it was begun.\n")
  }

  private func signOutInBrowser(
    _ namespace: Namespace, otherwise consequence: String
  ) throws(CommandFailure) -> ControlEvent {
    let surroundings = SignInSurroundings(environment: .process(SignInSurroundings.variables))
    if !invocation.has(VaultCommands.noBrowser),
      let refusal = surroundings.refusal(toSignOut: namespace)
    {
      throw refusal
    }
    var client = try ask(.signOutInBrowser(namespace), otherwise: consequence)
    do {
      return try lastEvent(of: &client, surroundings)
    } catch {
      throw CommandFailure(unanswered: error)
    }
  }

  /// Shows the events of an answer as they come, and returns the last of them.
  private func lastEvent(
    of client: inout ControlClient, _ surroundings: SignInSurroundings, interrupter: Int32 = -1
  ) throws(ControlError) -> ControlEvent {
    while true {
      let event = try client.nextEvent(timeout: nil, interrupter: interrupter)
      if event.isLast { return event }
      show(event, surroundings)
    }
  }

  /// Asks a question that one event answers, and that changes nothing.
  ///
  /// - Throws: `ControlError`.
  func answer(to request: ControlRequest) throws(ControlError) -> ControlEvent {
    var client = try connect()
    try client.send(request)
    return try client.nextEvent(timeout: Self.patience)
  }

  /// Asks the host to change something and waits for its answer of one event.
  ///
  /// - Parameters:
  ///   - request: the request.
  ///   - consequence: what is certain where the host could not be asked.
  /// - Returns: the event.
  /// - Throws: `CommandFailure`.
  func answer(
    to request: ControlRequest, otherwise consequence: String
  ) throws(CommandFailure) -> ControlEvent {
    var client = try ask(request, otherwise: consequence)
    do {
      return try client.nextEvent(timeout: Self.patience)
    } catch {
      throw CommandFailure(unanswered: error)
    }
  }

  /// Connects and sends a request: from then on nobody knows what became of it but the host.
  private func ask(
    _ request: ControlRequest, otherwise consequence: String
  ) throws(CommandFailure) -> ControlClient {
    do throws(ControlError) {
      let client = try connect()
      try client.send(request)
      return client
    } catch {
      throw CommandFailure(unasked: error, consequence)
    }
  }

  /// Ends a sign-in that the host said no last word of: whoever reads the events gets one.
  private func endSignIn(
    _ reason: ControlFailureReason, _ message: String, status: Int32
  ) -> Never {
    if invocation.has(VaultCommands.json) {
      CommandOutput.vault.write(SignInReport.json(.failed(reason, message: message)) ?? "")
    }
    CommandOutput.vault.fail(message, status: status)
  }

  /// The failure that an event reports, or is.
  func failure(_ event: ControlEvent) -> CommandFailure {
    guard case .failed(let reason, let message) = event else {
      return CommandFailure(unanswered: .malformed("the host's answer does not fit the request"))
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
      CommandOutput.vault.write(SignInReport.json(event) ?? "")
      return
    }
    let text = SignInReport.instructions(
      event, drawsCode: isatty(STDERR_FILENO) == 1, isOpened: isOpened,
      isRemote: surroundings.isRemote)
    CommandOutput.vault.show(text ?? "")
  }

  private func openBrowser(
    _ url: String, in window: BrowserWindow, _ surroundings: SignInSurroundings
  ) -> Bool {
    let environment = Environment.process(["BROWSER"])
    guard surroundings.canOpenBrowser else { return false }
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
      CommandOutput.vault.write(line)
    }
    guard case .signedIn = event else {
      let failure = failure(event)
      CommandOutput.vault.fail(failure.description, failure.code)
    }
    if !invocation.has(VaultCommands.json) {
      CommandOutput.vault.write("\(namespace) is signed in\n")
    }
  }
}
