/// Runs a program to its end.
package enum ToolRunner {
  /// Runs a program and returns how it ended and what it printed.
  ///
  /// Cancelling the task kills the program.
  ///
  /// - Throws: `SystemCallError` when the program can't be started.
  package static func run(_ request: ToolRequest) async throws(SystemCallError) -> ToolResult {
    let tool = try RunningTool(request)
    return await withTaskCancellationHandler {
      await tool.result()
    } onCancel: {
      tool.kill()
    }
  }

  /// Runs a program that must exit with status 0 and returns what it printed.
  ///
  /// - Throws: `SystemCallError` when it can't be started, `ToolFailure` when it fails.
  @discardableResult
  package static func runSuccessfully(_ request: ToolRequest) async throws -> ToolResult {
    let result = try await run(request)
    guard result.exit == .status(0) else {
      throw ToolFailure(program: request.program, result: result)
    }
    return result
  }
}
