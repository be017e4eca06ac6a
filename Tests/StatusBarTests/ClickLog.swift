import TestSupport

/// A program that notes how a click starts it, and is the real one for everything else.
struct ClickLog {
  /// The file with a line for each start.
  let file: String
  /// The program's path.
  let program: String
  private let directory: TemporaryDirectory

  /// Makes the program.
  ///
  /// - Parameters:
  ///   - text: what it notes, as bash reads it between double quotes.
  ///   - folder: the name of the directory that it is in.
  /// - Throws: the call that failed.
  init(noting text: String = "$*", in folder: String = "bin") throws {
    directory = try TemporaryDirectory()
    file = try directory.write("", to: "clicks")
    _ = try directory.makeDirectory(folder)
    program = try directory.write(
      """
      #!/bin/bash
      if [ "$1" = watch ]; then exec -a "$0" '\(PackageLayout.product("tokenvault"))' "$@"; fi
      echo "\(text)" >>'\(file)'

      """, to: "\(folder)/tokenvault", mode: 0o700)
  }
}
