import TestSupport
import Testing

/// What `make test-sanitizers` relies on: a race is reported, and what a mutex guards is none.
@Suite(.timeLimit(.minutes(5))) struct SanitizerTests {
  /// Four threads that add to one number, guarded or not.
  private static func program(isGuarded: Bool) -> String {
    """
    import Glibc
    import Synchronization
    final class Guarded: Sendable { let numbers = Mutex<[Int]>([]) }
    let guarded = Guarded()
    // The race that has to be reported: nothing orders what the threads do to it.
    nonisolated(unsafe) var bare = 0
    func work(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
      for number in 0..<20_000 {
        if \(isGuarded) {
          guarded.numbers.withLock { numbers in
            numbers.append(number)
            if numbers.count > 50 { numbers = [] }
            // While this thread has it, the others run into the lock.
            if number % 100 == 0 { sched_yield() }
          }
        } else {
          bare += 1
        }
      }
      return nil
    }
    var threads: [pthread_t] = []
    for _ in 0..<4 {
      var thread = pthread_t()
      pthread_create(&thread, nil, work, nil)
      threads.append(thread)
    }
    for thread in threads { pthread_join(thread, nil) }
    """
  }

  /// Builds a program with the thread sanitizer and what it is told.
  private static func build(
    _ text: String, reports: String, in directory: TemporaryDirectory
  ) async throws -> String {
    try directory.write(text, to: "main.swift")
    let (object, program) = (directory.file("annotations.o"), directory.file("program"))
    let commands = [
      [
        // The toolchain's, which is not always in the search path.
        "sh", "-c", "exec \"$(dirname \"$(readlink -f \"$(command -v swiftc)\")\")/clang\" \"$@\"",
        "clang", "-c", "-fPIC", "-Wall", "-Wextra", "-Werror", "-DREPORTS=\"\(reports)\"",
        "\(PackageLayout.root)/Tests/Sanitizers/annotations.c", "-o", object,
      ],
      [
        "swiftc", "-sanitize=thread", "-swift-version", "5", directory.file("main.swift"),
        "-Xlinker", object, "-o", program,
      ],
    ]
    for words in commands {
      let result = try await ToolRunner.run(
        ToolRequest(words[0], Array(words.dropFirst()), limit: .seconds(200)))
      try #require(result.status == 0, "\(result.error)")
    }
    return program
  }

  @Test(arguments: [true, false])
  func fz04TheThreadSanitizerReportsARaceAndNoMutex(isGuarded: Bool) async throws {
    let directory = try TemporaryDirectory()
    let program = try await Self.build(
      Self.program(isGuarded: isGuarded), reports: directory.file("report"), in: directory)
    let result = try await ToolRunner.run(ToolRequest(program, []))
    let reports = TestFile.names(in: directory.path).filter { $0.hasPrefix("report.") }
    #expect(reports.isEmpty == isGuarded)
    #expect((result.status == 0) == isGuarded)
    for report in reports {
      let text = try TestFile.text(directory.file(report))
      #expect(text.contains("WARNING: ThreadSanitizer: Swift access race"))
    }
  }

  @Test func fz07EachMutationStillApplies() async throws {
    let result = try await ToolRunner.run(
      ToolRequest("\(PackageLayout.root)/.ci/mutants", ["--list"]))
    #expect(result.status == 0, "\(result.error)")
    let names = result.output.split(separator: "\n")
    for name in [
      "fsync of the directory", "nonce", "iss in the token", "order of generations",
      "redirect refusal",
    ] { #expect(names.contains(Substring(name))) }
  }
}
