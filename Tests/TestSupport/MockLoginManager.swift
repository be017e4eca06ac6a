/// A message bus of a test's own, on which python-dbusmock plays logind.
package final class MockLoginManager: Sendable {
  /// The bus, for `DBUS_SYSTEM_BUS_ADDRESS`.
  package let address: String
  // Debian's own, which has the modules of Debian's packages.
  private static let python = "/usr/bin/python3"
  private let directory: TemporaryDirectory
  private let bus: RunningTool
  private let manager: RunningTool?

  /// Starts the bus and, where it is wanted, logind on it.
  ///
  /// - Parameters:
  ///   - directory: where the bus has its socket; another bus may have had it before.
  ///   - hasManager: whether logind is there from the beginning.
  /// - Throws: the call that failed.
  package init(in directory: TemporaryDirectory? = nil, hasManager: Bool = true) async throws {
    self.directory = try directory ?? TemporaryDirectory()
    let path = self.directory.file("bus")
    address = "unix:path=\(path)"
    bus = try RunningTool(
      ToolRequest(
        "dbus-daemon",
        [
          "--session", "--nofork", "--nopidfile", "--print-address",
          "--address=\(address)",
        ], limit: .seconds(100)))
    try await bus.output.next { $0.hasPrefix("unix:") }
    manager = hasManager ? try Self.startManager(on: address) : nil
    guard let manager else { return }
    // Until it has its name, which the bus itself is asked about.
    while try await !call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus",
      "org.freedesktop.DBus.NameHasOwner", "string:org.freedesktop.login1"
    ).output.contains("true") {
      guard manager.isRunning else { throw SystemCallError("python3 -m dbusmock", path) }
    }
  }

  private static func startManager(on address: String) throws -> RunningTool {
    let environment = [
      "PATH": Environment.searchPath, "DBUS_SYSTEM_BUS_ADDRESS": address,
      "DBUS_SESSION_BUS_ADDRESS": address,
    ]
    return try RunningTool(
      ToolRequest(
        python, ["-m", "dbusmock", "--system", "--template", "logind"],
        environment: environment, limit: .seconds(100)))
  }

  /// Emits `PrepareForSleep`.
  package func prepareForSleep(_ isStarting: Bool) async throws {
    try await run(
      """
      mock('').EmitSignal('org.freedesktop.login1.Manager', 'PrepareForSleep', 'b',
                          [\(isStarting ? "True" : "False")])
      """)
  }

  /// Adds a session of a user.
  ///
  /// - Parameters:
  ///   - name: its name at logind.
  ///   - user: whose it is.
  /// - Throws: the call that failed.
  package func addSession(_ name: String, of user: UInt32) async throws {
    try await run(
      "mock('').AddSession('\(name)', 'seat\(name)', dbus.UInt32(\(user)), 'somebody', True)")
  }

  /// Has logind ask a session to lock or to unlock, as `loginctl` does.
  package func lock(_ session: String, _ isLocked: Bool) async throws {
    try await run("session('\(session)').\(isLocked ? "Lock" : "Unlock")()")
  }

  /// Says for a session whether it is locked, as a screen locker does.
  package func setLockedHint(_ session: String, _ isLocked: Bool) async throws {
    try await run("session('\(session)').SetLockedHint(\(isLocked ? "True" : "False"))")
  }

  /// Sends a signal of a session to everybody, past logind: some other connection of the bus does.
  package func forge(_ signal: String, of session: String) async throws {
    try await run(
      """
      driver = dbus.Interface(
          bus.get_object('org.freedesktop.DBus', '/org/freedesktop/DBus'), 'org.freedesktop.DBus')
      for name in driver.ListNames():
          if name.startswith(':') and name != bus.get_unique_name():
              message = dbus.lowlevel.SignalMessage(
                  '/org/freedesktop/login1/session/\(session)', 'org.freedesktop.login1.Session',
                  '\(signal)')
              message.set_destination(name)
              bus.send_message(message)
      bus.flush()
      driver.GetId()
      """)
  }

  private func run(_ lines: String) async throws {
    let script = """
      import dbus, dbus.lowlevel, sys
      bus = dbus.bus.BusConnection(sys.argv[1])
      root = '/org/freedesktop/login1'
      def mock(path):
          return dbus.Interface(bus.get_object('org.freedesktop.login1', root + path),
                                'org.freedesktop.DBus.Mock')
      def session(name):
          return dbus.Interface(bus.get_object('org.freedesktop.login1', root + '/session/' + name),
                                'org.freedesktop.login1.Session')

      """
    _ = try await ToolRunner.runSuccessfully(
      ToolRequest(Self.python, ["-c", script + lines, address]))
  }

  /// Ends both, as when the bus goes away.
  package func end() async {
    manager?.terminate()
    bus.terminate()
    _ = await manager?.result()
    _ = await bus.result()
  }

  private func call(_ words: String...) async throws -> ToolResult {
    try await ToolRunner.run(
      ToolRequest(
        "dbus-send",
        ["--bus=\(address)", "--print-reply", "--dest=\(words[0])"] + words.dropFirst()))
  }
}
