import CommandRuntime
import FileSupport
import Glibc
import HostControl
import SessionModel
import VaultReader
import VaultReporting

/// One command line of `tokenvault`, understood and about to be carried out.
struct VaultCommand {
  /// The command line.
  let invocation: CommandInvocation

  /// Takes a command line.
  init(_ invocation: CommandInvocation) {
    self.invocation = invocation
  }

  /// Carries the command out.
  ///
  /// - Throws: `CommandFailure`.
  func run() throws(CommandFailure) {
    switch invocation.command {
    case "token": try printToken()
    case "status": try printStatus()
    case "watch": try watch()
    case "run": try runProgram()
    case "git-credential": try answerGit()
    case "sign-in": try signIn()
    case "sign-out": try signOut()
    case "forget": try forget()
    case "lock": try lock()
    case "unlock": try unlock()
    case "renew": try renew()
    case "introspect": try introspect()
    case "deliver": try deliver()
    case "doctor": examine()
    case "simulate": try simulate()
    default: throw usage("unknown command")
    }
  }

  /// The vault of the access group that is named.
  ///
  /// - Throws: `CommandFailure`.
  func vault() throws(CommandFailure) -> TokenVault {
    guard let group = invocation.text(VaultCommands.group) else { return TokenVault() }
    do {
      return try TokenVault(accessGroup: group)
    } catch {
      throw usage(error.description)
    }
  }

  /// The namespace of the option; the default one where none is named.
  ///
  /// - Throws: `CommandFailure`.
  func optionNamespace() throws(CommandFailure) -> Namespace {
    try namespace(invocation.text(VaultCommands.namespace))
  }

  /// The namespace of the operand; the default one where none is named.
  ///
  /// - Throws: `CommandFailure`.
  func operandNamespace() throws(CommandFailure) -> Namespace {
    try namespace(invocation.operands.first)
  }

  /// Connects to the host.
  ///
  /// - Parameter timeout: how long connecting, and later sending a request, may take.
  /// - Returns: the connection.
  /// - Throws: `ControlError`.
  func connect(timeout: Duration = .seconds(3)) throws(ControlError) -> ControlClient {
    try ControlClient(in: try runtimeDirectory(), timeout: timeout)
  }

  /// Opens the runtime directory, which holds the host's socket.
  ///
  /// - Throws: `ControlError`.
  func runtimeDirectory() throws(ControlError) -> Directory {
    let directories = VaultDirectories(
      environment: .process(VaultDirectories.variables), user: geteuid())
    let (own, service): (Directory?, Directory?)
    do {
      own = try directories.openRuntimeDirectory()
      service = own == nil ? try directories.openSystemDirectory() : nil
    } catch {
      throw .file(error)
    }
    guard let runtime = own ?? service else {
      let first = directories.runtimeCandidates.first ?? ""
      throw .unreachable(path: first + "/" + ControlClient.socketName)
    }
    guard runtime.policy.owner == geteuid() else {
      throw .otherUser(directory: runtime.path, user: runtime.policy.owner)
    }
    return runtime
  }

  private func namespace(_ name: String?) throws(CommandFailure) -> Namespace {
    guard let name else { return .primary }
    guard let namespace = Namespace(name) else {
      throw usage(InvalidNameError(kind: .namespace, name: name).description)
    }
    return namespace
  }

  /// A command line that is wrong by a rule of the command's own.
  ///
  /// - Parameters:
  ///   - problem: what is wrong, without a full stop.
  ///   - meant: the name that was most likely meant.
  /// - Returns: the failure, which names the help.
  func usage(_ problem: String, meant: String? = nil) -> CommandFailure {
    let error = UsageError(
      problem, meant: meant, title: "\(VaultCommands.table.program) \(invocation.command)")
    return CommandFailure(error.description, error.exitCode)
  }
}
