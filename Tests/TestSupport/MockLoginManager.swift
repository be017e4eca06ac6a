/// A message bus of a test's own, on which python-dbusmock plays logind.
package final class MockLoginManager: Sendable {
  /// The bus, for `DBUS_SYSTEM_BUS_ADDRESS`.
  package let address: String
  // Debian's own, which has the modules of Debian's packages.
  private static let python = "/usr/bin/python3"
  private let directory: TemporaryDirectory
  private let bus: RunningTool
  private let manager: RunningTool

  /// Starts the bus and logind on it.
  package init() async throws {
    directory = try TemporaryDirectory()
    let path = directory.file("bus")
    address = "unix:path=\(path)"
    bus = try RunningTool(
      ToolRequest(
        "dbus-daemon",
        [
          "--session", "--nofork", "--nopidfile", "--print-address",
          "--address=\(address)",
        ], limit: .seconds(100)))
    try await bus.output.next { $0.hasPrefix("unix:") }
    let environment = [
      "PATH": Environment.searchPath, "DBUS_SYSTEM_BUS_ADDRESS": address,
      "DBUS_SESSION_BUS_ADDRESS": address,
    ]
    manager = try RunningTool(
      ToolRequest(
        Self.python, ["-m", "dbusmock", "--system", "--template", "logind"],
        environment: environment, limit: .seconds(100)))
    // Until it has its name, which the bus itself is asked about.
    while try await !call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.login1"
    ).output.contains("true") {
      guard manager.isRunning else { throw SystemCallError("python3 -m dbusmock", path) }
    }
  }

  /// Emits `PrepareForSleep`.
  package func prepareForSleep(_ isStarting: Bool) async throws {
    let script = """
      import dbus, sys
      bus = dbus.bus.BusConnection(sys.argv[1])
      mock = dbus.Interface(
          bus.get_object('org.freedesktop.login1', '/org/freedesktop/login1'),
          'org.freedesktop.DBus.Mock')
      mock.EmitSignal('org.freedesktop.login1.Manager', 'PrepareForSleep', 'b',
                      [sys.argv[2] == 'true'])
      """
    _ = try await ToolRunner.runSuccessfully(
      ToolRequest(Self.python, ["-c", script, address, String(isStarting)]))
  }

  /// Ends both, as when the bus goes away.
  package func end() async {
    manager.terminate()
    bus.terminate()
    _ = await manager.result()
    _ = await bus.result()
  }

  private func call(_ words: String...) async throws -> ToolResult {
    try await ToolRunner.run(
      ToolRequest(
        "dbus-send",
        ["--bus=\(address)", "--print-reply", "--dest=\(words[0])"] + words.dropFirst()))
  }
}
