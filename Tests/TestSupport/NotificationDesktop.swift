/// A message bus and a screen of a test's own, on which dunst shows notifications and nobody sees them.
package final class NotificationDesktop: Sendable {
  /// The bus, for `DBUS_SESSION_BUS_ADDRESS`.
  package let address: String
  private let directory: TemporaryDirectory
  private let bus: RunningTool
  private let screen: RunningTool
  private let display: String

  /// Starts the bus and the screen.
  ///
  /// - Parameter isActivating: whether the bus starts dunst for whoever asks for a server.
  /// - Throws: the call that failed.
  package init(isActivating: Bool = false) async throws {
    directory = try TemporaryDirectory()
    address = "unix:path=\(directory.file("bus"))"
    screen = try RunningTool(
      ToolRequest(
        "Xvfb", ["-displayfd", "1", "-screen", "0", "800x600x24", "-nolisten", "tcp"],
        environment: ["PATH": Environment.searchPath, "HOME": directory.path],
        limit: .seconds(110)))
    display = ":" + (try await screen.output.next { !$0.isEmpty })
    _ = try directory.makeDirectory("services")
    if isActivating {
      try directory.write(
        """
        [D-BUS Service]
        Name=org.freedesktop.Notifications
        Exec=/usr/bin/env DISPLAY=\(display) DBUS_SESSION_BUS_ADDRESS=\(address) /usr/bin/dunst
        """, to: "services/dunst.service")
    }
    try directory.write(
      """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
       "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>session</type>
        <listen>\(address)</listen>
        <servicedir>\(directory.file("services"))</servicedir>
        <policy context="default">
          <allow send_destination="*" eavesdrop="true"/>
          <allow own="*"/>
          <allow eavesdrop="true"/>
        </policy>
      </busconfig>
      """, to: "bus.conf")
    bus = try RunningTool(
      ToolRequest(
        "dbus-daemon",
        [
          "--nofork", "--nopidfile", "--print-address",
          "--config-file=\(directory.file("bus.conf"))",
        ],
        limit: .seconds(110)))
    try await bus.output.next { $0.hasPrefix("unix:") }
  }

  /// Starts dunst; each notification that it takes is a line `summary: ...` of its output.
  package func startServer() async throws -> RunningTool {
    try directory.write("[global]\nmarkup = full\nidle_threshold = 0\n", to: "dunstrc")
    return try await start(
      "stdbuf", ["-oL", "dunst", "-print", "-conf", directory.file("dunstrc")])
  }

  /// Starts a server that python-dbusmock plays, with some capabilities; each call is a line.
  package func startMock(capabilities: String) async throws -> RunningTool {
    try await start(
      "/usr/bin/python3",
      [
        "-u", "-m", "dbusmock", "--session", "--template", "notification_daemon", "--parameters",
        "{\"capabilities\": \"\(capabilities)\"}",
      ])
  }

  private func start(_ program: String, _ arguments: [String]) async throws -> RunningTool {
    let server = try RunningTool(
      ToolRequest(program, arguments, environment: environment, limit: .seconds(110)))
    while try await !call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.NameHasOwner",
      "string:org.freedesktop.Notifications"
    ).output.contains("true") {
      guard server.isRunning else { throw SystemCallError(program, "no server") }
    }
    return server
  }

  /// How many notifications are waiting or on the screen.
  package func standing() async throws -> Int {
    let displayed = try await control("count", "displayed")
    let waiting = try await control("count", "waiting")
    return (Int(displayed) ?? -1) + (Int(waiting) ?? -1)
  }

  /// Asks dunst until so many are standing; a test's time limit ends it.
  package func waitForStanding(_ count: Int) async throws {
    while try await standing() != count { try Task.checkCancellation() }
  }

  /// Closes the one on the screen, as a click on it does.
  package func dismiss() async throws {
    _ = try await control("close")
  }

  private func control(_ words: String...) async throws -> String {
    let result = try await ToolRunner.runSuccessfully(
      ToolRequest("dunstctl", words, environment: environment))
    return result.output.filter { !$0.isWhitespace }
  }

  private func call(_ words: String...) async throws -> ToolResult {
    try await ToolRunner.run(
      ToolRequest(
        "dbus-send",
        ["--bus=\(address)", "--print-reply", "--dest=\(words[0])"] + words.dropFirst()))
  }

  private var environment: [String: String] {
    [
      "PATH": Environment.searchPath, "HOME": directory.path, "DISPLAY": display,
      "DBUS_SESSION_BUS_ADDRESS": address,
    ]
  }

  /// Ends the bus and the screen, and so everything on them.
  package func end() async {
    bus.terminate()
    screen.terminate()
    _ = await bus.result()
    _ = await screen.result()
  }
}
