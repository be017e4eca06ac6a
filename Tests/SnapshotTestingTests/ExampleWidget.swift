import TestSupport

/// Widgets as people write them in a few lines, good ones and bad ones.
enum ExampleWidget {
  /// Asks for the token again and again, and shows what it gets.
  static let poll = """
    #!/bin/sh
    while :; do
      tokenvault token 2>&1
      sleep 0.5
    done
    """

  /// Reads once, and knows of no end.
  static let naive = """
    #!/bin/sh
    token=$(tokenvault token 2>&1)
    while :; do
      echo "$token"
      sleep 0.3
    done
    """

  /// Keeps a token until the wall clock says that it has ended.
  static let wallClock = """
    #!/bin/sh
    while :; do
      answer=$(tokenvault token --format json 2>&1)
      end=$(echo "$answer" | sed -n 's/.*"expiresAt": *\\([0-9]*\\).*/\\1/p')
      echo "$answer"
      while [ -n "$end" ] && [ "$(date +%s)" -lt "$end" ]; do sleep 0.2; done
      sleep 0.2
    done
    """
}

/// The command, as a shell would find it.
enum Simulate {
  /// The environment in which the project's programs are found.
  static var environment: [String: String] {
    ["PATH": "\(PackageLayout.products):\(Environment.searchPath)", "LC_ALL": "C.UTF-8"]
  }

  /// The request for a run of it.
  static func request(_ words: [String], input: ToolRequest.Input = .none) -> ToolRequest {
    .product(
      "tokenvault-simulate", words, environment: environment, input: input, limit: .seconds(120))
  }

  /// Runs it to its end.
  static func run(_ words: [String]) async throws -> ToolResult {
    try await ToolRunner.run(request(words))
  }
}
