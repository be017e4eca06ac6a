import Glibc

/// The public test vectors, which are not part of this package.
package enum TestVectors {
  /// `$TOKENVAULT_VECTORS`, or `../shared/vectors` beside the package, or nil where neither exists.
  package static let directory: String? = {
    let beside =
      #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4)
      .joined(separator: "/") + "/shared/vectors"
    let named = unsafe getenv("TOKENVAULT_VECTORS").map { unsafe String(cString: $0) }
    let directory = named ?? beside
    guard unsafe access(directory, R_OK) == 0 else {
      print("SKIPPED: no test vectors in \(directory); set TOKENVAULT_VECTORS to their directory")
      return nil
    }
    return directory
  }()

  /// The names in a directory, sorted, without hidden ones.
  package static func names(in directory: String) -> [String] {
    TestFile.names(in: directory).filter { !$0.hasPrefix(".") }
  }

  /// All bytes of a file, or nil where it cannot be opened.
  package static func bytes(of path: String) -> [UInt8]? {
    guard let file = unsafe fopen(path, "re") else { return nil }
    defer { unsafe fclose(file) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = unsafe fread(&chunk, 1, chunk.count, file)
      guard count > 0 else { return bytes }
      bytes += chunk[..<count]
    }
  }
}
